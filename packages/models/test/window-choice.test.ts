/** Which context window Ollama is asked for, and what is learnt from the memory that a loaded model takes. */
import { describe, expect, test } from "vitest";
import {
  chooseWindow,
  fitOf,
  fitWords,
  noteLoaded,
  type WindowFit,
} from "../src/wire/ollama/window-choice.ts";

describe("the next window", () => {
  test.each<[string, WindowFit, number | undefined, number]>([
    ["of a model that was never loaded", {}, undefined, 16_384],
    ["of a small model", {}, 4_096, 4_096],
    ["after one that fitted", { fits: 16_384 }, 131_072, 32_768],
    ["after the next one did not fit", { fits: 16_384, spills: 32_768 }, 131_072, 16_384],
    ["after the first one did not fit", { spills: 16_384 }, 131_072, 8_192],
    ["when none fits", { spills: 8_192 }, 131_072, 8_192],
    ["when the largest fits", { fits: 65_536 }, 131_072, 65_536],
    ["of a model that supports less", { fits: 32_768 }, 40_960, 40_960],
    ["of a model that the server gave less", { fits: 16_384, most: 20_480 }, undefined, 20_480],
  ])("%s", (_what, fit, largest, expected) => {
    expect(chooseWindow(fit, largest)).toBe(expected);
  });
});

describe("after a load with 16,384 tokens", () => {
  const gigabyte = 1e9;
  test.each<[string, WindowFit, number | undefined, number, number, WindowFit]>([
    ["wholly in video memory", {}, 16_384, 8, 8, { fits: 16_384 }],
    ["partly in main memory", {}, 16_384, 8, 6, { spills: 16_384 }],
    ["without a graphics card", {}, 16_384, 8, 0, {}],
    ["by a server that tells no window", {}, undefined, 8, 8, {}],
    ["by a server that tells no size", {}, 16_384, 0, 0, {}],
    ["by a server that tells only the video memory", {}, 8_192, 0, 8, { most: 8_192 }],
    ["limited by the model", {}, 8_192, 8, 8, { most: 8_192, fits: 8_192 }],
    ["after a larger one fitted", { fits: 32_768 }, 16_384, 8, 8, { fits: 32_768 }],
    ["after a smaller one did not fit", { spills: 8_192 }, 16_384, 8, 6, { spills: 8_192 }],
  ])("%s", (_what, before, window, size, video, expected) => {
    const sizes = { sizeBytes: size * gigabyte, videoBytes: video * gigabyte };
    const loaded = { name: "m", ...sizes, ...(window === undefined ? {} : { contextWindow: window }) };
    expect(noteLoaded(before, 16_384, loaded)).toEqual(expected);
  });
});

test("the words of a profile keep a fit, and other words are ignored", () => {
  const fit = { fits: 16_384, spills: 32_768 };
  expect(fitOf(["no-tools", ...fitWords(fit), "window-fits:x", "window-other:9999"])).toEqual(fit);
});

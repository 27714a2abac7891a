/** Checks the placeholders of images in the editor and image paths in messages. */
import type { ImageContent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { createHeldImages, looksLikeImagePath, mentionedImages } from "../src/editor/held-images.ts";

const image = (data: string, name = "a.gif"): ImageContent => ({ mediaType: "image/gif", data, name });
const one = image("R0lGODlhAQAB");
const other = image("R0lGODlhAQAC");

describe("images in the editor", () => {
  test("are found by the placeholders of a text, in its order, each once", () => {
    const held = createHeldImages();
    const marks = [held.hold(one), held.hold(other), held.hold(one)];
    expect(marks).toEqual(["[Image a.gif, 1 KB]", "[Image a.gif 2, 1 KB]", "[Image a.gif, 1 KB]"]);
    const named = { ...other, name: "a.gif 2" };
    expect(held.in(`${marks[1]} and ${marks[0]} and ${marks[1]}`)).toEqual([named, one]);
    expect(held.in(`${marks[0]?.slice(0, -1)} [Image b.gif, 1 KB]`)).toEqual([]);
    expect(held.unknownIn(`${marks[0]} [Image b.gif, 2.5 MB]`)).toEqual(["[Image b.gif, 2.5 MB]"]);
  });

  test("a placeholder is found only right before the cursor", () => {
    const held = createHeldImages();
    const mark = held.hold(one);
    const line = `see ${mark} now`;
    expect(held.markBefore(line, 4 + mark.length)).toBe(mark);
    expect(held.markBefore(line, 5 + mark.length)).toBeUndefined();
    expect(held.markBefore("[Image b.gif, 1 KB]", 19)).toBeUndefined();
  });
});

test.each([
  ["/tmp/a b.png", true],
  ["'/tmp/My Pic.JPEG'", true],
  ["/tmp/My\\ Pic.webp ", true],
  ["file:///tmp/a.gif", true],
  ["a.png\nb.png", false],
  ["see a.png please", false],
  ["logo.svg", false],
])("%j may be an image: %s", (pasted, may) => {
  expect(looksLikeImagePath(pasted)).toBe(may);
});

test("image paths that a message mentions with @", () => {
  const many = Array.from({ length: 25 }, (_, index) => `${index}.png`);
  expect(mentionedImages(many.map((path) => `@${path}`).join(" "))).toEqual(many.slice(0, 20));
  expect(mentionedImages('@a.png and @"b c.JPG" x@d.png @e.ts @a.png')).toEqual(["a.png", "b c.JPG"]);
});

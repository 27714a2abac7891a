/** Checks the choice of theme and colour depth, and the contrast of the colours with the background. */
import { themeNames } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { chooseTheme } from "../../src/theme/choose-theme.ts";
import { colourCodes } from "../../src/theme/colour-codes.ts";
import { background, colourDepth } from "../../src/theme/colour-depth.ts";
import { type Palette, paletteStyles, palettes } from "../../src/theme/palettes.ts";

describe("colourDepth", () => {
  test.each([
    [{ TERM: "xterm" }, "16"],
    [{}, "16"],
    [{ TERM: "xterm-256color" }, "256"],
    [{ TERM: "screen" }, "256"],
    [{ TERM: "tmux-256color" }, "256"],
    [{ TERM: "xterm-256color", COLORTERM: "truecolor" }, "true"],
    [{ TERM: "xterm-kitty" }, "true"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "256"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "true"],
    [{ TERM: "dumb" }, "none"],
    [{ TERM: "dumb", FORCE_COLOR: "1" }, "16"],
    [{ COLORTERM: "truecolor", FORCE_COLOR: "0" }, "none"],
    [{ COLORTERM: "truecolor", NO_COLOR: "1", FORCE_COLOR: "3" }, "none"],
    [{ COLORTERM: "truecolor", NO_COLOR: "" }, "true"],
  ])("%j has %s", (env, depth) => {
    expect(colourDepth(env)).toBe(depth);
  });
});

test.each([
  ["15;0", "dark"],
  ["0;15", "light"],
  ["0;default;7", "light"],
  ["12;8", "dark"],
  ["nonsense", undefined],
])("COLORFGBG %s is %s", (value, expected) => {
  expect(background({ COLORFGBG: value })).toBe(expected);
});

describe("colourCodes", () => {
  test.each([
    ["#ff0000", "true", "text", "38;2;255;0;0"],
    ["#ff0000", "256", "text", "38;5;196"],
    ["#808080", "256", "text", "38;5;244"],
    ["#ffffff", "256", "background", "48;5;231"],
    ["#000000", "16", "text", "30"],
    ["#ffffff", "16", "text", "97"],
    ["#ff0000", "16", "text", "31"],
    ["#ffffff", "16", "background", "107"],
  ] as const)("%s in %s colours as %s is %s", (hex, depth, place, codes) => {
    expect(colourCodes(hex, depth, place)).toBe(codes);
  });
});

describe("chooseTheme", () => {
  const full = { TERM: "xterm-256color", COLORTERM: "truecolor" };

  test.each([
    ["dark", full, "dark"],
    ["auto", full, "terminal"],
    ["auto", { ...full, COLORFGBG: "0;15" }, "light"],
    ["auto", { ...full, COLORFGBG: "15;0" }, "dark"],
    ["light", { ...full, NO_COLOR: "1" }, "none"],
  ] as const)("%s with %j is %s", (name, env, expected) => {
    expect(chooseTheme(name, env).name).toBe(expected);
  });

  test.each(themeNames)("every style of %s is closed, in every colour depth", (name) => {
    for (const env of [full, { TERM: "xterm-256color" }, { TERM: "xterm" }, { NO_COLOR: "1" }]) {
      const theme = chooseTheme(name, env);
      const styles = Object.keys(paletteStyles(palettes.dark, "true"));
      for (const style of styles) {
        const text = theme.style(style as Parameters<typeof theme.style>[0], "text");
        // biome-ignore lint/suspicious/noControlCharactersInRegex: styles are escape sequences
        expect(text).toMatch(/^(?:text|\u001b\[[0-9;]+mtext\u001b\[[0-9;]+m)$/);
      }
    }
  });
});

/** Returns the contrast ratio by WCAG: 4.5 is readable (AA), 7 is readable for more people (AAA). */
function contrast(left: string, right: string): number {
  const [light = 0, dark = 0] = [luminance(left), luminance(right)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(hex: string): number {
  const parts = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (parts[0] ?? 0) + 0.7152 * (parts[1] ?? 0) + 0.0722 * (parts[2] ?? 0);
}

describe("contrast", () => {
  const read: readonly (keyof Palette)[] = [
    "text",
    "dim",
    "accent",
    "ok",
    "error",
    "warning",
    "code",
    "keyword",
    "number",
    "name",
    "link",
  ];
  test.each([
    ["dark", "#1e1e1e", 4.5],
    ["light", "#ffffff", 4.5],
    ["high-contrast", "#000000", 7],
  ] as const)("of %s on %s is at least %f", (name, behind, least) => {
    const palette = palettes[name];
    for (const colour of read)
      expect([colour, contrast(palette[colour], behind) >= least]).toEqual([colour, true]);
    for (const mark of ["selected", "addedWord", "removedWord"] as const)
      expect([mark, contrast(palette.text, palette[mark]) >= 4.5]).toEqual([mark, true]);
  });
});

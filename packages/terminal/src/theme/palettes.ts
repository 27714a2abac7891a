/** Defines the colours of the dark, light and high-contrast themes and builds their styles. */
import { colourCodes } from "./colour-codes.ts";
import type { ColourDepth } from "./colour-depth.ts";
import type { StyleTable } from "./theme.ts";

export interface Palette {
  readonly text: string;
  readonly dim: string;
  readonly accent: string;
  readonly ok: string;
  readonly error: string;
  readonly warning: string;
  readonly code: string;
  readonly keyword: string;
  readonly number: string;
  readonly name: string;
  readonly link: string;
  readonly border: string;
  /** Background colours: `selected` for the selected row, `addedWord` and `removedWord` for changed words in a diff. */
  readonly selected: string;
  readonly addedWord: string;
  readonly removedWord: string;
}

export const palettes: Readonly<Record<"dark" | "light" | "high-contrast", Palette>> = {
  dark: {
    text: "#e4e4e4",
    dim: "#8f969e",
    accent: "#6cb6ff",
    ok: "#7ec782",
    error: "#f28b82",
    warning: "#e5c07b",
    code: "#a5d6ff",
    keyword: "#c792ea",
    number: "#f0a868",
    name: "#82aaff",
    link: "#6cb6ff",
    border: "#5c6370",
    selected: "#264f78",
    addedWord: "#1f5c32",
    removedWord: "#7a2a2a",
  },
  light: {
    text: "#1f2328",
    dim: "#656d76",
    accent: "#0550ae",
    ok: "#1a7f37",
    error: "#c1121f",
    warning: "#8a5a00",
    code: "#0a3069",
    keyword: "#8250df",
    number: "#953800",
    name: "#0550ae",
    link: "#0550ae",
    border: "#afb8c1",
    selected: "#cfe3ff",
    addedWord: "#b4ecc0",
    removedWord: "#ffc9c4",
  },
  "high-contrast": {
    text: "#ffffff",
    dim: "#d0d0d0",
    accent: "#00ffff",
    ok: "#00ff00",
    error: "#ff8080",
    warning: "#ffff00",
    code: "#ffffff",
    keyword: "#ffaaff",
    number: "#ffff00",
    name: "#00ffff",
    link: "#00ffff",
    border: "#ffffff",
    selected: "#0000af",
    addedWord: "#005f00",
    removedWord: "#870000",
  },
};

export function paletteStyles(palette: Palette, depth: Exclude<ColourDepth, "none">): StyleTable {
  const colour = (hex: string) => [colourCodes(hex, depth), "39"] as const;
  const bold = (hex: string) => [`1;${colourCodes(hex, depth)}`, "22;39"] as const;
  const background = (hex: string) => [`1;${colourCodes(hex, depth, "background")}`, "22;49"] as const;
  const dim = colour(palette.dim);
  const border = colour(palette.border);
  return {
    user: bold(palette.text),
    reasoning: [`3;${colourCodes(palette.dim, depth)}`, "23;39"],
    "tool-name": bold(palette.text),
    "tool-arguments": dim,
    ok: colour(palette.ok),
    error: colour(palette.error),
    warning: colour(palette.warning),
    notice: dim,
    dim,
    accent: colour(palette.accent),
    border,
    // With 16 colours, text on a background may be unreadable, so reverse video is used instead.
    selected: depth === "16" ? ["7", "27"] : background(palette.selected),
    title: bold(palette.text),
    status: dim,
    heading: bold(palette.accent),
    code: colour(palette.code),
    "code-border": border,
    quote: [`3;${colourCodes(palette.dim, depth)}`, "23;39"],
    link: [`4;${colourCodes(palette.link, depth)}`, "24;39"],
    "link-url": dim,
    bullet: colour(palette.accent),
    rule: border,
    bold: ["1", "22"],
    italic: ["3", "23"],
    strike: ["9", "29"],
    underline: ["4", "24"],
    added: colour(palette.ok),
    removed: colour(palette.error),
    "added-word": depth === "16" ? ["1;7", "22;27"] : background(palette.addedWord),
    "removed-word": depth === "16" ? ["1;7", "22;27"] : background(palette.removedWord),
    hunk: colour(palette.accent),
    "syntax-keyword": colour(palette.keyword),
    "syntax-string": colour(palette.ok),
    "syntax-comment": dim,
    "syntax-number": colour(palette.number),
    "syntax-name": colour(palette.name),
  };
}

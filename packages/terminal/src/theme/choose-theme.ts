/** Chooses a theme by name, for the number of colours that the terminal has. */
import { type ThemeName, themeNames } from "@localharness/protocol";
import { background, colourDepth } from "./colour-depth.ts";
import { paletteStyles, palettes } from "./palettes.ts";
import { noColours, terminalColours } from "./terminal-colours.ts";
import { createTheme, type Theme } from "./theme.ts";

export const aboutThemes: Readonly<Record<ThemeName, string>> = {
  auto: "dark or light where the terminal says what it is, else its own colours",
  dark: "for a dark background",
  light: "for a light background",
  "high-contrast": "strong colours on black",
  terminal: "the 16 colours of the terminal itself",
};

/**
 * Returns the theme. Without colours (`NO_COLOR`) every name gives the same theme, which has no colours but styles such
 * as bold and underlined.
 */
export function chooseTheme(
  name: ThemeName,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Theme {
  const depth = colourDepth(env);
  if (depth === "none") return noColours;
  const wanted = name === "auto" ? (background(env) ?? "terminal") : name;
  if (wanted === "terminal") return terminalColours;
  return createTheme(wanted, paletteStyles(palettes[wanted], depth));
}

export function isThemeName(name: string): name is ThemeName {
  return themeNames.some((one) => one === name);
}

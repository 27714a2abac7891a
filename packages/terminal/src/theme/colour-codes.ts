/**
 * Converts a colour to SGR parameters (the numbers in an escape sequence that set a style), for the number of colours
 * that the terminal has.
 */
import type { ColourDepth } from "./colour-depth.ts";

type Rgb = readonly [red: number, green: number, blue: number];

/** Returns the SGR parameters of the colour `#rrggbb`, as text colour or as background. */
export function colourCodes(
  hex: string,
  depth: Exclude<ColourDepth, "none">,
  place: "text" | "background" = "text",
): string {
  const rgb = rgbOf(hex);
  const first = place === "text" ? 38 : 48;
  if (depth === "true") return `${first};2;${rgb.join(";")}`;
  if (depth === "256") return `${first};5;${nearest256(rgb)}`;
  const index = nearest16(rgb);
  const base = place === "text" ? 30 : 40;
  return String(index < 8 ? base + index : base + 60 + index - 8);
}

function rgbOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const steps = [0, 95, 135, 175, 215, 255];

/** Returns the index of the nearest colour in the 216-colour cube or the grey ramp. */
function nearest256(rgb: Rgb): number {
  const places = rgb.map((part) => nearestIndex(steps, part));
  const cube: Rgb = [steps[places[0] ?? 0] ?? 0, steps[places[1] ?? 0] ?? 0, steps[places[2] ?? 0] ?? 0];
  const level = Math.max(0, Math.min(23, Math.round(((rgb[0] + rgb[1] + rgb[2]) / 3 - 8) / 10)));
  const grey = 8 + level * 10;
  if (distance(rgb, [grey, grey, grey]) < distance(rgb, cube)) return 232 + level;
  return 16 + (places[0] ?? 0) * 36 + (places[1] ?? 0) * 6 + (places[2] ?? 0);
}

/** The 16 colours as most terminals draw them. */
const sixteen: readonly Rgb[] = [
  [0, 0, 0],
  [205, 49, 49],
  [13, 188, 121],
  [229, 229, 16],
  [36, 114, 200],
  [188, 63, 188],
  [17, 168, 205],
  [229, 229, 229],
  [102, 102, 102],
  [241, 76, 76],
  [35, 209, 139],
  [245, 245, 67],
  [59, 142, 234],
  [214, 112, 214],
  [41, 184, 219],
  [255, 255, 255],
];

function nearest16(rgb: Rgb): number {
  const distances = sixteen.map((one) => distance(rgb, one));
  return distances.indexOf(Math.min(...distances));
}

function nearestIndex(values: readonly number[], wanted: number): number {
  const distances = values.map((value) => Math.abs(value - wanted));
  return distances.indexOf(Math.min(...distances));
}

function distance(left: Rgb, right: Rgb): number {
  return (left[0] - right[0]) ** 2 + (left[1] - right[1]) ** 2 + (left[2] - right[2]) ** 2;
}

/** Draws the screen of a terminal emulator as an HTML page, cell by cell with its colours. */
import type { Emulator } from "./open-screen.ts";

const text = "#e4e4e4";
const background = "#16181d";

export function drawPage({ buffer, rows, cols }: Emulator): string {
  const { active } = buffer;
  const lines = Array.from({ length: rows }, (_, row) => drawLine(active.getLine(active.baseY + row), cols));
  return `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: ${background}; }
#screen { display: inline-block; padding: 14px 16px; background: ${background}; color: ${text};
  font: 15px/20px "DejaVu Sans Mono", monospace; }
#screen div { height: 20px; white-space: pre; }
#screen i { display: inline-block; width: 1ch; height: 20px; font-style: normal; overflow: visible; vertical-align: top; }
#screen i.wide { width: 2ch; }
</style><div id="screen">${lines.join("")}</div>`;
}

type Line = ReturnType<Emulator["buffer"]["active"]["getLine"]>;
type Cell = NonNullable<ReturnType<NonNullable<Line>["getCell"]>>;

function drawLine(line: Line, cols: number): string {
  let html = "";
  for (let column = 0; column < cols; column += 1) {
    const cell = line?.getCell(column);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const shown = escapeHtml(cell.getChars() || " ");
    const wide = cell.getWidth() === 2 ? ' class="wide"' : "";
    html += `<i${wide}${style === "" ? "" : ` style="${style}"`}>${shown}</i>`;
  }
  return `<div>${html}</div>`;
}

function styleOf(cell: Cell): string {
  let front = cell.isFgDefault() ? text : colourOf(cell.getFgColor(), cell.isFgRGB());
  let back = cell.isBgDefault() ? background : colourOf(cell.getBgColor(), cell.isBgRGB());
  if (cell.isInverse() !== 0) [front, back] = [back, front];
  const rules = [
    front === text ? "" : `color:${front}`,
    back === background ? "" : `background:${back}`,
    cell.isBold() !== 0 ? "font-weight:bold" : "",
    cell.isItalic() !== 0 ? "font-style:italic" : "",
    cell.isDim() !== 0 ? "opacity:.6" : "",
    cell.isUnderline() !== 0 ? "text-decoration:underline" : "",
    cell.isStrikethrough() !== 0 ? "text-decoration:line-through" : "",
  ];
  return rules.filter((rule) => rule !== "").join(";");
}

const sixteen = [
  "#2e3436",
  "#cd3131",
  "#0dbc79",
  "#e5e510",
  "#2472c8",
  "#bc3fbc",
  "#11a8cd",
  "#e5e5e5",
  "#666666",
  "#f14c4c",
  "#23d18b",
  "#f5f543",
  "#3b8eea",
  "#d670d6",
  "#29b8db",
  "#ffffff",
];

function colourOf(value: number, isRgb: boolean): string {
  if (isRgb) return `#${value.toString(16).padStart(6, "0")}`;
  if (value < 16) return sixteen[value] ?? text;
  if (value >= 232) {
    const level = 8 + (value - 232) * 10;
    return `rgb(${level},${level},${level})`;
  }
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = value - 16;
  return `rgb(${steps[Math.floor(cube / 36)]},${steps[Math.floor(cube / 6) % 6]},${steps[cube % 6]})`;
}

function escapeHtml(characters: string): string {
  return characters.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

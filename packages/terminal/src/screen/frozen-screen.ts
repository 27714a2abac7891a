/**
 * Draws the screen. Finished parts are frozen: they are written once into the terminal's scrollback and never change.
 * Only the live part below them is redrawn, and only those lines of it that changed. So a frame costs as much after ten
 * thousand messages as after ten, and the scrollback is never cleared. A full-screen dialog uses the alternate screen.
 */
import { type Component, TuiMainScreen } from "@earendil-works/pi-tui";
import { fitLine } from "./fit-line.ts";
import { guardDrawing } from "./guard-drawing.ts";

/**
 * Returns the lines of a finished part for a width, so that the part can be redrawn after a resize while it is visible.
 */
export type Frozen = (width: number) => readonly string[];

/** The minimum number of finished parts that are kept to redraw the screen after a resize. */
const keptParts = 200;
const leaveAlternate = "\u001b[?1049l";
/**
 * The milliseconds of one frame in which waiting parts are drawn. Further parts wait for the next frame, so that keys
 * are read in between.
 */
const frameMs = 30;
/** Matches text in which each character takes one column. */
const plain = /^[\x20-\x7e]*$/;

export class FrozenScreen extends TuiMainScreen {
  #waiting: Frozen[] = [];
  #recent: Frozen[] = [];
  #live: readonly string[] = [];
  #row = 0;
  #drawn: { readonly columns: number; readonly rows: number } | undefined;
  #full: Component | undefined;
  #fullLines: readonly string[] = [];

  /** Writes a part permanently, below the earlier frozen parts and above the live part. */
  freeze(part: Frozen): void {
    this.#waiting.push(part);
    this.requestRender();
  }

  /** Draws one component on the whole screen until `leaveFull`. Does not change the focus. */
  enterFull(component: Component): void {
    if (this.#full === undefined) this.terminal.write("\u001b[?1049h\u001b[?25l");
    this.#full = component;
    this.#fullLines = [];
    this.requestRender();
  }

  leaveFull(): void {
    if (this.#full === undefined) return;
    this.#full = undefined;
    this.terminal.write(`${leaveAlternate}\u001b[?25l`);
    this.requestRender();
  }

  /** Makes the next frame redraw everything that is visible. */
  drawAgain(): void {
    if (this.#drawn !== undefined) this.#drawn = { columns: -1, rows: -1 };
    this.#fullLines = [];
    this.requestRender();
  }

  /** Returns the escape sequences that go back to the main screen and put the cursor below everything drawn. */
  exitSequence(): string {
    const back = this.#full === undefined ? "" : leaveAlternate;
    return this.#live.length === 0 ? back : `${back}${moveBy(this.#live.length - 1 - this.#row)}\r\n`;
  }

  protected override doRender(): void {
    if (this.stopped) return;
    if (this.#full === undefined) this.#drawMain();
    else this.#drawFull(this.#full);
  }

  protected override resetRenderState(): void {
    this.drawAgain();
  }

  protected override beforeTerminalStop(): void {
    if (this.#full !== undefined) this.leaveFull();
    if (this.#drawn === undefined) return;
    const fresh = this.#takeWaiting(this.terminal.columns, Number.POSITIVE_INFINITY);
    const text = `${this.#toTop()}\u001b[J${fresh.map((line) => `${line}\r\n`).join("")}`;
    this.terminal.write(text);
    this.#live = [];
    this.#row = 0;
  }

  #drawMain(): void {
    const { columns, rows } = this.terminal;
    const live = this.#fitted(
      guardDrawing(() => this.render(columns)),
      columns,
    );
    if (live.length > rows) live.splice(0, live.length - rows);
    const cursor = this.extractCursorPosition(live, rows);
    const before = this.#drawn;
    const resized = before !== undefined && (before.columns !== columns || before.rows !== rows);
    const out = resized
      ? this.#refill(live, columns, rows)
      : this.#waiting.length > 0 || before === undefined
        ? this.#append(live, columns)
        : this.#change(live);
    this.#drawn = { columns, rows };
    const placed = this.#place(live, cursor);
    if (out !== "" || placed !== "") this.#write(out + placed);
    this.#live = live;
    if (this.#waiting.length > 0) this.requestRender();
  }

  /**
   * Returns the text that redraws everything visible, because it is unknown where the terminal puts lines after a resize.
   * The text includes waiting parts, so that they enter the scrollback.
   */
  #refill(live: readonly string[], columns: number, rows: number): string {
    let above: readonly string[] = [];
    for (let index = this.#recent.length - 1; index >= 0 && above.length < rows - live.length; index -= 1)
      above = [...this.#drawPart(this.#recent[index], columns), ...above];
    const shown = above.slice(Math.max(0, above.length - Math.max(0, rows - live.length)));
    const fresh = this.#takeWaiting(columns);
    this.#row = live.length - 1;
    return `\u001b[2J\u001b[H${[...shown, ...fresh, ...live].join("\r\n")}`;
  }

  #append(live: readonly string[], columns: number): string {
    const fresh = this.#takeWaiting(columns);
    const text = [...fresh, ...live].map((line) => `\u001b[2K${line}`).join("\r\n");
    // This clears the lines that remain below if the old live part was longer.
    const left = this.#live.length > fresh.length + live.length ? "\r\n\u001b[J\u001b[A" : "";
    const out = `${this.#toTop()}${text}${left}`;
    this.#row = live.length - 1;
    return out;
  }

  #change(live: readonly string[]): string {
    let out = "";
    for (let row = 0; row < live.length; row += 1) {
      if (row < this.#live.length && live[row] === this.#live[row]) continue;
      out += `${this.#moveTo(row)}${changedText(this.#live[row], live[row] ?? "")}`;
    }
    if (this.#live.length > live.length) out += `${this.#moveTo(live.length)}\r\u001b[J`;
    return out;
  }

  /**
   * Returns the cursor movement to a row of the live part. Line feeds add missing rows, because only a line feed
   * scrolls.
   */
  #moveTo(row: number): string {
    const last = Math.max(0, this.#live.length - 1, this.#row);
    const reach = Math.min(row, last);
    const out = moveBy(reach - this.#row) + (row > reach ? "\r\n".repeat(row - reach) : "");
    this.#row = row;
    return out;
  }

  #toTop(): string {
    const out = `${moveBy(-this.#row)}\r`;
    this.#row = 0;
    return out;
  }

  #place(live: readonly string[], cursor: { row: number; col: number } | null): string {
    const row = cursor?.row ?? Math.max(0, live.length - 1);
    if (row === this.#row && cursor === null) return "";
    const out = `${moveBy(row - this.#row)}\u001b[${(cursor?.col ?? 0) + 1}G`;
    this.#row = row;
    return out;
  }

  #drawFull(component: Component): void {
    const { columns, rows } = this.terminal;
    const drawn = guardDrawing(() => component.render(columns));
    const lines = this.#fitted(drawn, columns).slice(0, rows);
    this.extractCursorPosition(lines, rows);
    const wiped = this.#fullLines.length === 0;
    let out = wiped ? "\u001b[2J" : "";
    for (let row = 0; row < Math.max(lines.length, this.#fullLines.length); row += 1) {
      if (!wiped && lines[row] === this.#fullLines[row]) continue;
      out += `\u001b[${row + 1};1H\u001b[2K${lines[row] ?? ""}`;
    }
    if (out !== "") this.#write(out);
    this.#fullLines = lines;
  }

  #takeWaiting(columns: number, maxMs = frameMs): string[] {
    const fresh: string[] = [];
    const until = performance.now() + maxMs;
    let taken = 0;
    for (const part of this.#waiting) {
      for (const line of this.#drawPart(part, columns)) fresh.push(line);
      this.#keep(part);
      taken += 1;
      if (performance.now() > until) break;
    }
    this.#waiting = this.#waiting.slice(taken);
    return fresh;
  }

  #drawPart(part: Frozen | undefined, columns: number): readonly string[] {
    return part === undefined
      ? []
      : this.#fitted(
          guardDrawing(() => part(columns)),
          columns,
        );
  }

  #keep(part: Frozen): void {
    this.#recent.push(part);
    if (this.#recent.length > keptParts * 2) this.#recent = this.#recent.slice(-keptParts);
  }

  #fitted(lines: readonly string[], columns: number): string[] {
    return lines.map((line) => fitLine(line, columns));
  }

  /** Writes a frame at once, as a synchronized update for terminals that support it. */
  #write(text: string): void {
    this.terminal.write(`\u001b[?2026h${text}\u001b[?2026l`);
  }
}

/**
 * Returns the sequences that turn one line into another. For plain lines they contain only the text after the common
 * beginning.
 */
function changedText(before: string | undefined, line: string): string {
  if (before === undefined || !plain.test(before) || !plain.test(line)) return `\r\u001b[2K${line}`;
  let same = 0;
  while (same < before.length && before[same] === line[same]) same += 1;
  return `\u001b[${same + 1}G${line.slice(same)}${before.length > line.length ? "\u001b[K" : ""}`;
}

function moveBy(rows: number): string {
  if (rows === 0) return "";
  return rows > 0 ? `\u001b[${rows}B` : `\u001b[${-rows}A`;
}

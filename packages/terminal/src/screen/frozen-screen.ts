/**
 * Draws the screen. Finished parts are frozen: they are written once into the terminal's scrollback and never change.
 * Only the live part below them is redrawn, and only those lines of it that changed. So a frame costs as much after ten
 * thousand messages as after ten, and the scrollback is never cleared. A full-screen dialog uses the alternate screen.
 */
import { type Component, type Terminal, TuiMainScreen, visibleWidth } from "@earendil-works/pi-tui";
import { fitLine } from "./fit-line.ts";
import { guardDrawing } from "./guard-drawing.ts";
import { type KeptRows, keptRows, type Size, wrapsRows } from "./kept-rows.ts";

/**
 * Returns the lines of a finished part for a width, so that the part can be redrawn after a resize while it is visible.
 */
export type Frozen = (width: number) => readonly string[];

/** The minimum number of finished parts that are kept to redraw the screen after a resize. */
const keptParts = 200;
const saveCursor = "\u001b7";
const restoreCursor = "\u001b8";
const leaveAlternate = "\u001b[?1049l";
/**
 * The milliseconds of one frame in which waiting parts are drawn. Further parts wait for the next frame, so that keys
 * are read in between.
 */
const frameMs = 30;
/** The time without a change after which a new size of the window counts, in milliseconds. */
const settleMs = 50;
/** Matches text in which each character takes one column. */
const plain = /^[\x20-\x7e]*$/;

/** A size of the window in which nothing is drawn yet. */
interface NextSize {
  readonly size: Size;
  /** True if the terminal has answered, or does not answer. */
  isKnown: boolean;
  /** The row of the screen, from 0, in which the cursor is; undefined if the terminal does not tell. */
  row: number | undefined;
}

/** A terminal that tells where the cursor is, and its size in the order of what is written. */
export interface CursorSource {
  /** Calls `answered` with the row of the cursor, from 0, or with undefined if the terminal does not answer. */
  readCursorRow(answered: (row: number | undefined) => void): void;
  /** Calls `answered` with the size that the terminal has now; never if it does not answer. */
  readSize(answered: (columns: number, rows: number) => void): void;
}

export class FrozenScreen extends TuiMainScreen {
  #source: CursorSource | undefined;
  #waiting: Frozen[] = [];
  #recent: Frozen[] = [];
  #live: readonly string[] = [];
  #row = 0;
  #column = 0;
  /** The number of finished rows that are visible above the live part. */
  #seen = 0;
  /** The widths of the rows of the live part that a low window has put into the scrollback, right above the visible rows. */
  #spilled: readonly number[] = [];
  /** True once everything on the screen was drawn by this program. */
  #isFull = false;
  #drawn: Size | undefined;
  /** True if everything that is visible must be drawn again. */
  #isStale = false;
  /** The number of finished rows that were written since the program has the terminal. */
  #written = 0;
  #next: NextSize | undefined;
  /** True if the terminal had another size already when everything was drawn, so that it has not wrapped these rows. */
  #isLate = false;
  #full: Component | undefined;
  #fullLines: readonly string[] = [];

  constructor(terminal: Terminal & Partial<CursorSource>) {
    super(terminal);
    const { readCursorRow, readSize } = terminal;
    if (readCursorRow === undefined || readSize === undefined) return;
    this.#source = { readCursorRow: readCursorRow.bind(terminal), readSize: readSize.bind(terminal) };
  }

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
    this.#isStale = this.#drawn !== undefined;
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
    this.#seen = 0;
    this.#isFull = false;
    this.#spilled = [];
    this.#written = 0;
  }

  /**
   * Returns the new size of the window, or undefined while it is changed. Then asks the terminal for the row of the cursor, and
   * draws no frame before the answer, because until then it is unknown where the rows are.
   */
  #settledSize(size: Size): Size | undefined {
    if (this.#drawn === undefined || isSame(size, this.#drawn)) return size;
    const known = this.#next;
    if (known !== undefined && isSame(size, known.size)) return known.isKnown ? size : undefined;
    const next: NextSize = { size, isKnown: false, row: undefined };
    this.#next = next;
    const answered = (row: number | undefined) => {
      if (this.#next !== next) return;
      next.isKnown = true;
      next.row = row;
      this.requestRender();
    };
    const ask = () => {
      if (this.#next !== next || this.stopped) return;
      if (this.#source === undefined) answered(undefined);
      else this.#source.readCursorRow(answered);
    };
    setTimeout(ask, settleMs).unref();
    return undefined;
  }

  #checkSize(size: Size): void {
    this.#isLate = false;
    this.#source?.readSize((columns, rows) => {
      // Some versions of tmux tell the columns first.
      this.#isLate = !isSame(size, { columns, rows }) && !isSame(size, { columns: rows, rows: columns });
    });
  }

  #drawMain(): void {
    const { columns, rows } = this.terminal;
    if (this.#settledSize({ columns, rows }) === undefined) return;
    const live = this.#fitted(
      guardDrawing(() => this.render(columns)),
      columns,
    );
    if (live.length > rows) live.splice(0, live.length - rows);
    const cursor = this.extractCursorPosition(live, rows);
    const before = this.#drawn;
    const isResized = before !== undefined && !isSame(before, { columns, rows });
    const out =
      before !== undefined && (this.#isStale || isResized)
        ? this.#refill(live, before)
        : this.#waiting.length > 0 || before === undefined
          ? this.#append(live, columns)
          : this.#change(live);
    this.#drawn = { columns, rows };
    this.#next = undefined;
    this.#isStale = false;
    const room = Math.max(0, rows - live.length);
    this.#isFull ||= this.#seen >= room;
    if (this.#seen > room) this.#spilled = [];
    this.#seen = Math.min(this.#seen, room);
    const placed = out === "" && cursor === null ? "" : this.#place(live, cursor);
    if (out !== "" || placed !== "") this.#write(out + placed);
    if (isResized) this.#checkSize({ columns, rows });
    this.#live = live;
    if (this.#waiting.length > 0) this.requestRender();
  }

  /**
   * Returns the text that redraws everything visible, because it is unknown where the terminal puts lines after a resize.
   * The text includes waiting parts, so that they enter the scrollback. Rows are erased one by one, because tmux and other
   * terminals put a screen that is cleared as a whole into the scrollback.
   */
  #refill(live: readonly string[], before: Size): string {
    const { columns, rows } = this.terminal;
    const kept = this.#keptRows(before, { columns, rows });
    this.#spilled = kept.spilled;
    const shown = this.#lastRows(kept.rows, before.columns, columns);
    const fresh = this.#takeWaiting(columns);
    this.#seen = shown.length + fresh.length;
    this.#written += fresh.length;
    this.#row = live.length - 1;
    const lines = [...shown, ...fresh, ...live].join("\r\n");
    const wipe = "\u001b[2K\u001b[B".repeat(rows - kept.top);
    return `\u001b[${kept.top + 1};1H${saveCursor}${wipe}${restoreCursor}${lines}`;
  }

  #keptRows(before: Size, to: Size): KeptRows {
    const spilled = this.#spilled;
    const row = this.#next?.row;
    if (row === undefined) {
      const isResized = !isSame(before, to);
      return { rows: this.#isFull || isResized ? this.#seen : to.rows, top: 0, spilled };
    }
    const finished = this.#lastRows(Math.min(to.rows, this.#written), before.columns, before.columns);
    const widths = (lines: readonly string[]) => lines.map((line) => visibleWidth(line));
    const shown = {
      finished: widths(finished),
      live: widths(this.#live),
      cursor: this.#row,
      column: this.#column,
      spilled,
    };
    return keptRows({ ...shown, columns: before.columns }, row, to.columns, !this.#isLate && wrapsRows());
  }

  /** Returns the last finished rows, `count` of them as they were drawn in `from` columns, drawn again in `to` columns. */
  #lastRows(count: number, from: number, to: number): readonly string[] {
    let rows: readonly string[] = [];
    let left = count;
    for (const part of this.#recent.toReversed()) {
      if (left <= 0) break;
      const drawn = this.#drawPart(part, from);
      const now = from === to ? drawn : this.#drawPart(part, to);
      rows = [...(drawn.length <= left ? now : lastOf(now, drawn, left)), ...rows];
      left -= drawn.length;
    }
    return rows;
  }

  #append(live: readonly string[], columns: number): string {
    const fresh = this.#takeWaiting(columns);
    const text = [...fresh, ...live].map((line) => `\u001b[2K${line}`).join("\r\n");
    // This clears the lines that remain below if the old live part was longer.
    const left = this.#live.length > fresh.length + live.length ? "\r\n\u001b[J\u001b[A" : "";
    const out = `${this.#toTop()}${text}${left}`;
    this.#seen += fresh.length;
    this.#written += fresh.length;
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
    this.#column = cursor?.col ?? 0;
    const out = `${moveBy(row - this.#row)}\u001b[${this.#column + 1}G`;
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

/** Returns the end of `now` that has all of the text in the last `count` rows of `drawn`, the same part in another width. */
function lastOf(now: readonly string[], drawn: readonly string[], count: number): readonly string[] {
  if (now.length === drawn.length) return now.slice(now.length - count);
  let letters = drawn.slice(drawn.length - count).reduce((sum, row) => sum + lettersOf(row), 0);
  let from = now.length;
  for (; from > 0 && letters > 0; from -= 1) letters -= lettersOf(now[from - 1] ?? "");
  return now.slice(from);
}

/** Returns the columns of a row that are not blank. */
function lettersOf(row: string): number {
  return visibleWidth(row.replaceAll(" ", ""));
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

function isSame(one: Size, other: Size): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function moveBy(rows: number): string {
  if (rows === 0) return "";
  return rows > 0 ? `\u001b[${rows}B` : `\u001b[${-rows}A`;
}

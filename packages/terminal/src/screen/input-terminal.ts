/**
 * Connects pi-tui to the terminal. Passes on keys one by one and each paste as a whole, and resets all terminal modes
 * at the end.
 */
import { StdinBuffer, setKittyProtocolActive, type Terminal } from "@earendil-works/pi-tui";
import { readEarlyKeys, sortEarlyKeys } from "./early-keys.ts";
import { createPasteGate, type PasteGate } from "./paste-gate.ts";
import { createUnmarkedPastes, type UnmarkedPastes } from "./unmarked-pastes.ts";

export interface TerminalStreams {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/**
 * The sequences at the start, in order: turn off line wrapping, because the terminal may measure a character
 * differently; turn on bracketed paste; turn on kitty's keyboard protocol, which distinguishes keys with modifiers; ask
 * which flags of that protocol are on.
 */
const begin = "\u001b[?7l\u001b[?2004h\u001b[>1u\u001b[?u";
const end = "\u001b[?7h\u001b[<u\u001b[?2004l\u001b[?25h";
/** The sequences that turn reports of the window's focus on and off. */
const watchFocus = { begin: "\u001b[?1004h", end: "\u001b[?1004l" };
/** The sequences that save and restore the terminal's title. */
const ownTitle = { begin: "\u001b[22;0t", end: "\u001b[23;0t" };
const focusReports: ReadonlyMap<string, boolean> = new Map([
  ["\u001b[I", true],
  ["\u001b[O", false],
]);
// biome-ignore lint/suspicious/noControlCharactersInRegex: the answer of a terminal begins with Esc.
const keyProtocol = /^\u001b\[\?(\d+)u$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the answer of a terminal begins with Esc.
const cursorReport = /^\u001b\[(\d+);\d+R$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the answer of a terminal begins with Esc.
const sizeReport = /^\u001b\[8;(\d+);(\d+)t$/;
/** The milliseconds after which a terminal that has not told the row of the cursor does not tell it. */
const answerMs = 300;
const highSurrogate = /^[\ud800-\udbff]$/;
/** The milliseconds after which a lone Esc counts as a key, if nothing has followed it. */
const escapeMs = 20;

/** The features of the terminal that the person can turn off. */
export interface TerminalModes {
  /** True to show a title. */
  readonly title: boolean;
  /**
   * Called with true when the window gets the focus, and with false when it loses it. Absent if the terminal need not
   * report the focus.
   */
  readonly onFocus?: (on: boolean) => void;
}

/** Returns the sequence that turns off everything that an `InputTerminal` turns on. */
export function endSequence({ title, onFocus }: TerminalModes): string {
  return `${end}${onFocus === undefined ? "" : watchFocus.end}${title ? ownTitle.end : ""}`;
}

export class InputTerminal implements Terminal {
  readonly #streams: TerminalStreams;
  readonly #onPaste: (text: string) => void;
  readonly #modes: TerminalModes;
  readonly #holdsEnter: () => boolean;
  #title = "";
  /** Called with the row of the cursor; undefined if nobody has asked for it. */
  #asked: ((row: number | undefined) => void) | undefined;
  #askedSize: (columns: number, rows: number) => void = () => undefined;
  #keys: StdinBuffer | undefined;
  #started = false;
  #resized: () => void = () => undefined;
  #gate: PasteGate | undefined;
  #unmarked: UnmarkedPastes | undefined;
  readonly #take = (piece: string): void => this.#gate?.take(piece);

  /** `holdsEnter` returns true while an Enter may be a line end of a paste that the terminal does not mark. */
  constructor(
    streams: TerminalStreams,
    onPaste: (text: string) => void,
    modes: TerminalModes = { title: false },
    holdsEnter: () => boolean = () => true,
  ) {
    this.#streams = streams;
    this.#onPaste = onPaste;
    this.#modes = modes;
    this.#holdsEnter = holdsEnter;
  }

  start(onInput: (data: string) => void, onResize: () => void): void {
    const { input, output } = this.#streams;
    // No time limit here: the paste gate has already waited for bytes that may follow an Esc.
    const keys = new StdinBuffer({ escapeTimeout: 0 });
    // Handles a paste that the gate did not recognize, because its start mark came in more than two pieces.
    keys.on("paste", this.#onPaste);
    const { title, onFocus } = this.#modes;
    // pi-tui passes on the two surrogates of a character above U+FFFF one after the other.
    let half = "";
    keys.on("data", (piece) => {
      const sequence = half + piece;
      half = highSurrogate.test(sequence) ? sequence : "";
      if (half !== "") return;
      const focus = focusReports.get(sequence);
      const answer = keyProtocol.exec(sequence);
      const cursor = this.#asked === undefined ? null : cursorReport.exec(sequence);
      const size = sizeReport.exec(sequence);
      if (size !== null) this.#askedSize(Number(size[2]), Number(size[1]));
      else if (cursor !== null) this.#asked?.(Number(cursor[1]) - 1);
      else if (focus !== undefined) onFocus?.(focus);
      else if (answer === null) onInput(sequence);
      else setKittyProtocolActive(answer[1] !== "0");
    });
    this.#keys = keys;
    const unmarked = createUnmarkedPastes({
      onKeys: (piece) => keys.process(piece),
      onPaste: this.#onPaste,
      holdsEnter: this.#holdsEnter,
    });
    const onMarked = (text: string) => {
      unmarked.flush();
      this.#onPaste(text);
    };
    this.#unmarked = unmarked;
    this.#gate = createPasteGate(unmarked.take, onMarked, escapeMs);
    this.#resized = onResize;
    this.#started = true;
    input.setRawMode(true);
    const early = sortEarlyKeys(readEarlyKeys());
    input.setEncoding("utf8");
    input.on("data", this.#take);
    input.resume();
    output.on("resize", onResize);
    output.write(`${begin}${onFocus === undefined ? "" : watchFocus.begin}${title ? ownTitle.begin : ""}`);
    if (this.#title !== "") this.setTitle(this.#title);
    // This runs after the screen has started, and before any later key is read.
    queueMicrotask(() => {
      if (early.keys !== "") this.#take(early.keys);
      if (early.pasted !== "") this.#onPaste(early.pasted);
    });
  }

  stop(): void {
    if (!this.#started) return;
    this.#started = false;
    const { input, output } = this.#streams;
    output.write(endSequence(this.#modes));
    setKittyProtocolActive(false);
    output.off("resize", this.#resized);
    input.off("data", this.#take);
    this.#gate?.close();
    this.#unmarked?.close();
    this.#keys?.destroy();
    input.pause();
    input.setRawMode(false);
  }

  async drainInput(): Promise<void> {}

  write(data: string): void {
    this.#streams.output.write(data);
  }

  get columns(): number {
    return this.#streams.output.columns || 80;
  }

  get rows(): number {
    return this.#streams.output.rows || 24;
  }

  get kittyProtocolActive(): boolean {
    return false;
  }

  moveBy(lines: number): void {
    if (lines !== 0) this.write(lines > 0 ? `\u001b[${lines}B` : `\u001b[${-lines}A`);
  }

  hideCursor(): void {
    this.write("\u001b[?25l");
  }

  showCursor(): void {
    this.write("\u001b[?25h");
  }

  clearLine(): void {
    this.write("\u001b[2K");
  }

  clearFromCursor(): void {
    this.write("\u001b[J");
  }

  clearScreen(): void {
    this.write("\u001b[2J\u001b[H");
  }

  /** Calls `answered` once with the row of the cursor, from 0; with undefined if the terminal does not tell it. */
  readCursorRow(answered: (row: number | undefined) => void): void {
    const settle = (row: number | undefined) => {
      clearTimeout(timer);
      if (this.#asked === settle) this.#asked = undefined;
      answered(row);
    };
    const timer = setTimeout(settle, answerMs, undefined).unref();
    this.#asked = settle;
    this.write("\u001b[6n");
  }

  /** Calls `answered` with the size that the terminal has once it has read everything written so far. */
  readSize(answered: (columns: number, rows: number) => void): void {
    this.#askedSize = answered;
    this.write("\u001b[18t");
  }

  /** Shows a title until the screen ends. The caller must have cleaned it. */
  setTitle(title: string): void {
    this.#title = title;
    if (this.#started && this.#modes.title) this.write(`\u001b]2;${title}\u0007`);
  }

  /** Writes the escape sequence of a notification, unless another program has the terminal. */
  notify(sequence: string): void {
    if (this.#started) this.write(sequence);
  }

  setProgress(): void {}
}

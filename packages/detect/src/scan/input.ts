/** Buffers the unread text of a reply for coroutines, which wait when they need more text. */
import { carriageReturn, dot, hyphen, lineFeed, space, tab, underscore } from "./characters.ts";
import { Rope } from "./rope.ts";

/** A coroutine that yields whenever it needs text that has not arrived yet. */
export type Reader<T> = Generator<void, T, void>;

/**
 * A window on the text. Only unread text stays in the window, so that a long call costs linear time. Text that may have to be
 * read again is kept in a rope, which is joined only when that happens.
 */
export class Input {
  /** The window. Readers advance `pos`. They must not keep an index across a yield, because `append` moves the window. */
  text = "";
  pos = 0;
  ended = false;
  /** True if the text has ended because the reply was cut off. */
  cut = false;
  /** True for a kind of comment if its end was not found in the rest of the text; no later search can find it. */
  readonly endless = { block: false, line: false };
  /**
   * Reads new text for the waiting coroutine, because resuming the coroutine costs more than reading a small piece. Returns
   * true if the coroutine must wait for still more text, and false if it must be resumed.
   */
  absorb: (() => boolean) | undefined;
  /** True after a read beyond the window while more text may arrive. */
  short = false;
  #base = 0;
  readonly #held = new Rope();
  #heldFrom = -1;
  #holds = 0;
  #tapFrom = -1;
  #onTap: ((piece: string) => void) | undefined;

  /** Returns the number of characters of the whole text before `pos`. */
  get offset(): number {
    return this.#base + this.pos;
  }

  append(chunk: string): void {
    const { text, pos } = this;
    if (pos === 0) {
      this.text = text + chunk;
      return;
    }
    const read = pos === text.length ? text : text.slice(0, pos);
    if (this.#heldFrom >= 0) this.#held.add(read);
    this.text = pos === text.length ? chunk : text.slice(pos) + chunk;
    this.#base += pos;
    this.pos = 0;
  }

  /** Counts text that the caller has passed on without the window. All text in the window must have been read. */
  skip(length: number): void {
    this.#base += this.text.length + length;
    this.text = "";
    this.pos = 0;
  }

  /** Returns the code of the character at distance `ahead`, or -1 beyond the window. Sets `short` there if more text may come. */
  look(ahead: number): number {
    const at = this.pos + ahead;
    if (at < this.text.length) return this.text.charCodeAt(at);
    if (!this.ended) this.short = true;
    return -1;
  }

  /** Returns true if the literal is at distance `ahead` in the window. Sets `short` if the window is too short to know. */
  stands(literal: string, ahead: number): boolean {
    for (let index = 0; index < literal.length; index += 1) {
      if (this.look(ahead + index) !== literal.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Keeps all text from here on until `release` is called. Returns the mark for `rewind`. Holds may nest. */
  hold(): number {
    const mark = this.offset;
    this.#holds += 1;
    if (this.#heldFrom < 0) {
      this.text = this.text.slice(this.pos);
      this.#base = mark;
      this.#heldFrom = mark;
      this.pos = 0;
    }
    return mark;
  }

  /** Returns the text from a held mark up to an offset, by default the current position. */
  rawFrom(mark: number, end = this.offset): string {
    const inWindow = this.text.slice(Math.max(0, mark - this.#base), Math.max(0, end - this.#base));
    if (mark >= this.#base) return inWindow;
    return this.#held.from(mark - this.#heldFrom, Math.min(end, this.#base) - this.#heldFrom) + inWindow;
  }

  /** Goes back to a held mark. */
  rewind(mark: number): void {
    if (mark >= this.#base) {
      this.pos = mark - this.#base;
      return;
    }
    this.text = this.#held.cut(mark - this.#heldFrom) + this.text;
    this.#base = mark;
    this.pos = 0;
  }

  /** Moves to an offset in the window and returns the text up to it. */
  takeTo(offset: number): string {
    const start = this.pos;
    this.pos = offset - this.#base;
    return this.text.slice(start, this.pos);
  }

  /** Ends the innermost hold. The end of the outermost hold frees the text. */
  release(): void {
    this.#holds -= 1;
    if (this.#holds > 0) return;
    this.#held.clear();
    this.#heldFrom = -1;
  }

  /** Passes all text that is read from here on to the callback, piece by piece, until `untap` is called. */
  tap(onPiece: (piece: string) => void): void {
    this.#tapFrom = this.offset;
    this.#onTap = onPiece;
  }

  flushTap(): void {
    if (this.#onTap === undefined || this.offset <= this.#tapFrom) return;
    const piece = this.text.slice(this.#tapFrom - this.#base, this.pos);
    this.#tapFrom = this.offset;
    this.#onTap(piece);
  }

  untap(): void {
    this.flushTap();
    this.#onTap = undefined;
  }

  /** Removes the callback without passing on the rest of the text. */
  cutTap(): void {
    this.#onTap = undefined;
  }
}

/** Returns an input whose text is complete, to read a text inside a call. */
export function wholeInput(text: string): Input {
  const input = new Input();
  input.append(text);
  input.ended = true;
  return input;
}

/** Runs a reader on an input from `wholeInput` and returns the reader's result. */
export function readWhole<T>(reader: Reader<T>): T {
  for (;;) {
    const step = reader.next();
    if (step.done) return step.value;
  }
}

/** Returns the answer to a question about the text ahead. Asks again with more text while the window was too short to answer. */
export function* ask<T>(input: Input, question: () => T): Reader<T> {
  for (;;) {
    input.short = false;
    const answer = question();
    if (!input.short) return answer;
    input.absorb = () => {
      input.short = false;
      question();
      return input.short;
    };
    yield;
  }
}

/** Returns the code of the character at distance `ahead`, or -1 at the end of the text. */
export function* peek(input: Input, ahead = 0): Reader<number> {
  while (input.pos + ahead >= input.text.length) {
    if (input.ended) return -1;
    yield;
  }
  return input.text.charCodeAt(input.pos + ahead);
}

export function isSpace(code: number): boolean {
  return code === space || code === lineFeed || code === carriageReturn || code === tab;
}

export function isWordChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === underscore
  );
}

/** Returns true if the character may occur in the name of a tool. */
export function isNameChar(code: number): boolean {
  return isWordChar(code) || code === hyphen || code === dot;
}

/** The result of `skipSpaceHere` if the window ends after the white space and more text may come. */
export const more = -2;

/** Moves over the white space in the window. Returns the code of the character after it, -1 at the end of the text, or `more`. */
export function skipSpaceHere(input: Input): number {
  const { text } = input;
  for (let at = input.pos; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (!isSpace(code)) {
      input.pos = at;
      return code;
    }
  }
  input.pos = text.length;
  return input.ended ? -1 : more;
}

/** Moves over white space. Returns the code of the character after it, or -1 at the end. */
export function* skipSpace(input: Input): Reader<number> {
  for (;;) {
    const code = skipSpaceHere(input);
    if (code !== more) return code;
    yield;
  }
}

/**
 * Returns the distance to the first character, from distance `start` on, that does not pass the test; for a string, to the
 * first character that is in it. Stops at the end of the text and after `max` characters.
 */
export function* endOf(
  input: Input,
  start: number,
  max: number,
  test: string | ((code: number) => boolean),
): Reader<number> {
  let ahead = start;
  const passes =
    typeof test === "string" ? (code: number) => !test.includes(String.fromCharCode(code)) : test;
  for (let code = 0; ahead < start + max; ahead += 1) {
    code = yield* peek(input, ahead);
    if (code === -1 || !passes(code)) break;
  }
  return ahead;
}

/** Returns the distance to the end of the white space that begins at distance `start`. Reads `max` characters at most. */
export function spaceEnd(input: Input, start: number, max: number): Reader<number> {
  return endOf(input, start, max, isSpace);
}

/** Moves over the characters that pass the test and returns them, or an empty text if there are more than `max`. */
export function* takeWord(input: Input, passes: (code: number) => boolean, max = 128): Reader<string> {
  const length = yield* endOf(input, 0, max + 1, passes);
  const word = input.text.slice(input.pos, input.pos + length);
  input.pos += length;
  return length > max ? "" : word;
}

/** Returns the first of the literals that is at the current position; undefined if none is there. */
export function* firstAt(input: Input, literals: readonly string[]): Reader<string | undefined> {
  const code = literals.length === 0 ? -1 : yield* peek(input);
  for (const literal of literals) {
    if (literal.charCodeAt(0) === code && (yield* at(input, literal))) return literal;
  }
  return undefined;
}

/** Moves past the first of the literals that is at the current position and returns it; undefined if none is there. */
export function* takeFirst(input: Input, literals: readonly string[]): Reader<string | undefined> {
  const found = yield* firstAt(input, literals);
  if (found !== undefined) input.pos += found.length;
  return found;
}

/** Moves past the literal and returns true if it is at the current position. Waits while the text is too short to know. */
export function* take(input: Input, literal: string): Reader<boolean> {
  if (!(yield* at(input, literal))) return false;
  input.pos += literal.length;
  return true;
}

/** Returns true if the literal is at distance `ahead`. Waits while the text is too short to know. */
export function* at(input: Input, literal: string, ahead = 0): Reader<boolean> {
  for (let known = 0; ; ) {
    const { text, ended } = input;
    const start = input.pos + ahead;
    const end = Math.min(literal.length, text.length - start);
    while (known < end && text.charCodeAt(start + known) === literal.charCodeAt(known)) known += 1;
    if (known === literal.length) return true;
    if (known < end || ended) return false;
    input.absorb = () => continues(input, literal, ahead, known);
    yield;
  }
}

/** Returns true if the window ends inside the literal and matches so far. The first `known` characters are not compared. */
function continues({ text, pos }: Input, literal: string, ahead: number, known: number): boolean {
  const rest = text.slice(pos + ahead + known);
  return rest.length < literal.length - known && literal.startsWith(rest, known);
}

/** Moves past the next literal and returns the text before it. If there is none, moves to the end and returns undefined. */
export function* takeUntil(input: Input, literal: string): Reader<string | undefined> {
  let taken = "";
  for (;;) {
    const found = input.text.indexOf(literal, input.pos);
    if (found >= 0) {
      taken += input.text.slice(input.pos, found);
      input.pos = found + literal.length;
      return taken;
    }
    const safe = Math.max(input.pos, input.text.length - literal.length + 1);
    taken += input.text.slice(input.pos, safe);
    input.pos = safe;
    if (input.ended) {
      input.pos = input.text.length;
      return undefined;
    }
    yield;
  }
}

/** The text that a detector has been given and not yet dealt with, readable by coroutines that wait for more of it. */

import { Rope } from "./rope.ts";

/** A coroutine that yields whenever it needs text that has not arrived yet. */
export type Reader<T> = Generator<void, T, void>;

/**
 * A window on the text. Only what is unread stays in the window, so that a long call costs linear time; what may have
 * to be read again is kept beside it as a rope that is joined only when needed.
 */
export class Input {
  /** The window; readers advance `pos` and must not keep indices across a yield, where the window moves. */
  text = "";
  pos = 0;
  ended = false;
  /** Set once a search for the end of such a comment has reached the end of the text; a later one would as well. */
  readonly endless = { block: false, line: false };
  /**
   * What goes on with more text while the coroutine waits, because to wake it up for every piece would cost more than the
   * piece itself. It moves `pos` as far as it can; false when the coroutine has to go on.
   */
  absorb: (() => boolean) | undefined;
  /** Set by a look beyond the window while more text may come. */
  short = false;
  #base = 0;
  readonly #held = new Rope();
  #heldFrom = -1;
  #holds = 0;
  #tapFrom = -1;
  #onTap: ((piece: string) => void) | undefined;

  /** How many characters of the whole text lie before `pos`. */
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

  /** Counts text that was dealt with elsewhere; the window must be empty. */
  skip(length: number): void {
    this.#base += this.text.length + length;
    this.text = "";
    this.pos = 0;
  }

  /** The code of the character `ahead` places on, -1 beyond the window; then `short` says whether that was the end of the text. */
  look(ahead: number): number {
    const at = this.pos + ahead;
    if (at < this.text.length) return this.text.charCodeAt(at);
    if (!this.ended) this.short = true;
    return -1;
  }

  /** Whether the literal stands `ahead` places on, as far as the window goes; then `short` says whether that was too short. */
  stands(literal: string, ahead: number): boolean {
    for (let index = 0; index < literal.length; index++) {
      if (this.look(ahead + index) !== literal.charCodeAt(index)) return false;
    }
    return true;
  }

  /** Keeps all text from here on, until `release`; holds may nest. Returns the mark to rewind to. */
  hold(): number {
    const mark = this.offset;
    this.#holds++;
    if (this.#heldFrom < 0) {
      this.text = this.text.slice(this.pos);
      this.#base = mark;
      this.#heldFrom = mark;
      this.pos = 0;
    }
    return mark;
  }

  /** The text from a held mark up to the current position. */
  rawFrom(mark: number): string {
    const { text, pos } = this;
    if (mark >= this.#base) return text.slice(mark - this.#base, pos);
    return this.#held.from(mark - this.#heldFrom) + text.slice(0, pos);
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

  /** Moves to an offset that is in the window and returns what was passed. */
  takeTo(offset: number): string {
    const start = this.pos;
    this.pos = offset - this.#base;
    return this.text.slice(start, this.pos);
  }

  /** Ends the innermost hold; the text is let go with the outermost one. */
  release(): void {
    this.#holds--;
    if (this.#holds > 0) return;
    this.#held.clear();
    this.#heldFrom = -1;
  }

  /** Passes everything read from here on to the callback, piece by piece, until `untap`. */
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

  /** Forgets the tap without passing on what it has not passed on yet. */
  cutTap(): void {
    this.#onTap = undefined;
  }
}

/** A window that already holds its whole text, for reading text inside text. */
export function wholeInput(text: string): Input {
  const input = new Input();
  input.append(text);
  input.ended = true;
  return input;
}

/** Runs a reader whose whole text is at hand. */
export function readWhole<T>(reader: Reader<T>): T {
  for (;;) {
    const step = reader.next();
    if (step.done) return step.value;
  }
}

/** Asks about the text ahead, and again with more of it while the answer depended on where the window ends. */
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

/** Waits until at least `count` characters are in the window; false when the text ends before. */
export function* need(input: Input, count: number): Reader<boolean> {
  while (input.pos + count > input.text.length) {
    if (input.ended) return false;
    yield;
  }
  return true;
}

/** The code of the character `ahead` places on, or -1 at the end of the text. */
export function* peek(input: Input, ahead = 0): Reader<number> {
  while (input.pos + ahead >= input.text.length) {
    if (input.ended) return -1;
    yield;
  }
  return input.text.charCodeAt(input.pos + ahead);
}

export function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

export function isWordChar(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

/** What `skipSpaceHere` returns when the window ends before anything else comes. */
export const more = -2;

/** Moves over the white space in the window. Returns the code of the character after it, -1 at the end of the text, or `more`. */
export function skipSpaceHere(input: Input): number {
  const { text } = input;
  for (let at = input.pos; at < text.length; at++) {
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

/** How far ahead the white space ends that begins so far ahead; at most so much of it is looked at. */
export function* spaceEnd(input: Input, start: number, most: number): Reader<number> {
  let ahead = start;
  while (ahead < start + most && isSpace(yield* peek(input, ahead))) ahead++;
  return ahead;
}

/** True, and moved past it, when the literal stands here; waits as long as it still could. */
export function* take(input: Input, literal: string): Reader<boolean> {
  if (!(yield* at(input, literal))) return false;
  input.pos += literal.length;
  return true;
}

/** True when the literal stands `ahead` places on; waits as long as it still could. */
export function* at(input: Input, literal: string, ahead = 0): Reader<boolean> {
  for (let known = 0; ; ) {
    const { text, ended } = input;
    const start = input.pos + ahead;
    const end = Math.min(literal.length, text.length - start);
    while (known < end && text.charCodeAt(start + known) === literal.charCodeAt(known)) known++;
    if (known === literal.length) return true;
    if (known < end || ended) return false;
    input.absorb = () => continues(input, literal, ahead, known);
    yield;
  }
}

/** Whether what came goes on as the literal does, behind the part that is known, and ends before it. */
function continues({ text, pos }: Input, literal: string, ahead: number, known: number): boolean {
  const rest = text.slice(pos + ahead + known);
  return rest.length < literal.length - known && literal.startsWith(rest, known);
}

/** Moves to the end of the literal and returns what stood before it; at the end of the text returns undefined. */
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

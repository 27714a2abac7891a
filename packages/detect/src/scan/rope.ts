/** A text that grows piece by piece, in little more memory than its characters take, however small the pieces. */

/** Pieces are joined in blocks of about this length: text that is only linked costs many times its length. */
const blockLength = 8192;

export class Rope {
  readonly #blocks: string[] = [];
  #tail = "";
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: string): void {
    this.#tail += piece;
    this.#length += piece.length;
    if (this.#tail.length >= blockLength) {
      this.#blocks.push(joined(this.#tail));
      this.#tail = "";
    }
  }

  /** The whole text. */
  join(): string {
    if (this.#blocks.length === 0) return this.#tail;
    const whole = this.#blocks.join("") + this.#tail;
    this.#blocks.length = 0;
    this.#blocks.push(whole);
    this.#tail = "";
    return whole;
  }

  /** Shortens the text to `length` and returns what stood behind. */
  cut(length: number): string {
    const whole = this.join();
    this.clear();
    this.add(whole.slice(0, length));
    return whole.slice(length);
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#tail = "";
    this.#length = 0;
  }
}

/** The same text in one place: engines lay out what was linked when a character in it is looked at. */
function joined(text: string): string {
  return text.codePointAt(text.length - 1) === undefined ? "" : text;
}

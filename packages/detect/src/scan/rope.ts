/** A rope: a text that grows piece by piece and takes little more memory than its characters. */

/** The minimum length of a block of joined pieces. Engines only link added strings, which takes many times the memory. */
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

  /** Returns the text from an index on, up to `end`. The time depends on the length of that part only. */
  from(start: number, end = this.#length): string {
    let at = this.#length - this.#tail.length;
    if (start >= at) return this.#tail.slice(start - at, end - at);
    let index = this.#blocks.length;
    while (at > start && index > 0) {
      index -= 1;
      at -= this.#blocks[index]?.length ?? 0;
    }
    const blocks = this.#blocks.slice(index, index + Math.ceil((end - at) / blockLength));
    return (blocks.join("") + this.#tail).slice(start - at, end - at);
  }

  /** Shortens the text to `length` and returns the part after it. */
  cut(length: number): string {
    const rest = this.from(length);
    while (length < this.#length - this.#tail.length) {
      this.#length -= this.#tail.length;
      this.#tail = this.#blocks.pop() ?? "";
    }
    this.#tail = this.#tail.slice(0, this.#tail.length - (this.#length - length));
    this.#length = length;
    return rest;
  }

  clear(): void {
    this.#blocks.length = 0;
    this.#tail = "";
    this.#length = 0;
  }
}

/** Returns the same text, stored as one string: engines join linked strings when a character is read. */
function joined(text: string): string {
  return text.codePointAt(text.length - 1) === undefined ? "" : text;
}

/** Keeps the text of a reply from its beginning, in case all of it turns out to be a thought. */

/** The maximum number of characters kept (some 64,000 tokens), to save time. A longer reply is never taken for a thought. */
const maxChars = 256 * 1024;
/** The number of pieces that are joined at once. Joining each piece would take several times the time of reading it. */
const batch = 512;

export class ReplyText {
  readonly #blocks: string[] = [];
  readonly #pieces: string[] = new Array<string>(batch).fill("");
  #count = 0;
  #length = 0;

  /** Adds a piece. Returns false once the text is too long to be kept. */
  add(piece: string): boolean {
    this.#length += piece.length;
    this.#pieces[this.#count] = piece;
    this.#count += 1;
    if (this.#count === batch) this.#join();
    return this.#length <= maxChars;
  }

  /** Returns the first `length` characters of the text. */
  upTo(length: number): string {
    this.#join();
    return this.#blocks.join("").slice(0, length);
  }

  #join(): void {
    this.#blocks.push(this.#pieces.slice(0, this.#count).join(""));
    this.#count = 0;
  }
}

/** Splits a text that arrives in pieces into lines. */

export interface Line {
  readonly indent: number;
  readonly text: string;
  readonly raw: string;
}

/** The number of characters at the beginning of an incomplete line in which the key of an argument is looked for. */
const maxHead = 200;

export class YamlLines {
  readonly #lines: Line[] = [];
  /** The last line, which is still incomplete. */
  #half = "";
  #mayBeKey = true;
  /** The last, incomplete line once it is known to begin an argument. */
  coming: Line | undefined;
  ended = false;

  at(index: number): Line | undefined {
    return this.#lines[index];
  }

  replace(index: number, line: Line): void {
    this.#lines[index] = line;
  }

  from(index: number): string {
    return this.#lines
      .slice(index)
      .map((line) => line.raw)
      .join("\n");
  }

  /** Adds a piece. Returns true if there is a new line, or if the incomplete line is known to begin an argument. */
  push(piece: string): boolean {
    const before = this.#lines.length;
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      this.#half += piece.slice(from, end);
      this.#finishLine();
      from = end + 1;
    }
    this.#half += from === 0 ? piece : piece.slice(from);
    if (this.#mayBeKey) this.#lookForKey();
    return this.#lines.length > before || this.coming !== undefined;
  }

  end(): void {
    this.#finishLine();
    this.ended = true;
  }

  #finishLine(): void {
    this.#lines.push(lineOf(this.#half.endsWith("\r") ? this.#half.slice(0, -1) : this.#half));
    this.#half = "";
    this.#mayBeKey = true;
    this.coming = undefined;
  }

  #lookForKey(): void {
    const head = this.#half.slice(0, maxHead);
    if (/^[ \t]*[A-Za-z_][\w.-]*: /.test(head)) this.coming = lineOf(head);
    this.#mayBeKey = /^[ \t]*(?:[A-Za-z_][\w.-]*:?)?$/.test(head);
  }
}

/** Returns a line with its indentation. YAML forbids tabs there, but models write them. */
function lineOf(line: string): Line {
  const raw = line.replace(/^\t+/, (tabs) => "  ".repeat(tabs.length));
  return { indent: raw.length - raw.trimStart().length, text: raw.trim(), raw };
}

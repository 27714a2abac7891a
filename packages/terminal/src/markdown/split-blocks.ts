/**
 * Splits a streamed answer into parts that can no longer change. A part is Markdown text, or some lines of a code
 * block. Lines of code are final before their block ends. The unfinished part is drawn again with every frame, so it is
 * kept small.
 */

export type AnswerPart =
  /** `goesOn` is true if the next part continues the same paragraph, list or table. */
  | { readonly kind: "text"; readonly text: string; readonly goesOn: boolean }
  /** `opens` is true for the first part of a code block, `closes` for the last. */
  | {
      readonly kind: "code";
      readonly language: string;
      readonly lines: readonly string[];
      readonly opens: boolean;
      readonly closes: boolean;
    };

export interface BlockSplitter {
  /** Takes a piece of the answer and returns the parts that it finished. */
  push(text: string): readonly AnswerPart[];
  /** Returns the unfinished part as it would be drawn now; undefined if there is none. */
  rest(): AnswerPart | undefined;
  /** Ends the answer and returns the remaining parts. */
  end(): readonly AnswerPart[];
}

/**
 * Matches the opening line of a fence. A line with another backtick after its backticks is inline code, not a fence.
 */
export const fenceLine = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*([^`\s]*)/;
const listLine = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const headingLine = /^ {0,3}#{1,6}\s/;
const maxBlockChars = 4_096;
const maxListItems = 8;
/** A paragraph with more lines is split. A `---` that makes the lines above it a heading usually comes sooner. */
const maxParagraphLines = 6;
const paragraphLine = /^[^\s|>]/;

interface Fence {
  readonly mark: string;
  readonly language: string;
  opened: boolean;
}

export function createBlockSplitter(): BlockSplitter {
  return new Splitter();
}

class Splitter implements BlockSplitter {
  #parts: AnswerPart[] = [];
  #block: string[] = [];
  #size = 0;
  #blankInList = false;
  #open = false;
  #fence: Fence | undefined;
  #code: string[] = [];
  #partial = "";
  /** True if the start of the current line was already returned, so that the next piece continues a line. */
  #midLine = false;

  push(text: string): readonly AnswerPart[] {
    const lines = (this.#partial + text).split("\n");
    const partial = lines.pop() ?? "";
    for (const line of lines) this.#takeLine(this.#cutLong(line));
    this.#partial = this.#cutLong(partial);
    return this.#taken();
  }

  rest(): AnswerPart | undefined {
    const partial = this.#partial;
    if (this.#fence !== undefined) {
      const { language, opened } = this.#fence;
      const lines = partial === "" ? [] : [partial];
      return { kind: "code", language, lines, opens: !opened, closes: false };
    }
    const text = [...this.#block, ...(this.#blankInList ? [""] : []), partial].join("\n");
    return text.trim() === "" ? undefined : { kind: "text", text, goesOn: true };
  }

  end(): readonly AnswerPart[] {
    if (this.#partial !== "") this.#takeLine(this.#partial);
    this.#partial = "";
    if (this.#fence !== undefined) this.#flushCode(this.#fence, true);
    this.#fence = undefined;
    this.#flush();
    return this.#taken();
  }

  #taken(): readonly AnswerPart[] {
    if (this.#fence !== undefined && this.#code.length > 0) this.#flushCode(this.#fence, false);
    const out = this.#parts;
    this.#parts = [];
    return out;
  }

  #takeLine(line: string): void {
    const whole = !this.#midLine;
    this.#midLine = false;
    if (this.#fence !== undefined) {
      if (whole && closesFence(this.#fence, line)) {
        this.#flushCode(this.#fence, true);
        this.#fence = undefined;
      } else this.#code.push(line);
      return;
    }
    const begins = whole ? fenceLine.exec(line) : null;
    if (begins === null) {
      this.#takeText(line);
      return;
    }
    this.#flush();
    this.#fence = { mark: begins[1] ?? "```", language: begins[2] ?? "", opened: false };
  }

  #takeText(line: string): void {
    const inList = listLine.test(this.#block[0] ?? "");
    if (line.trim() === "") {
      // A list continues after a blank line if the next line belongs to the list.
      if (inList) this.#blankInList = true;
      else this.#flush();
      return;
    }
    const goesOn = /^\s{2,}\S/.test(line) || listLine.test(line);
    if (this.#blankInList && !goesOn) this.#flush();
    const long = inList && listLine.test(line) && this.#block.length >= maxListItems;
    const full = this.#block.length > 0 && this.#size + line.length > maxBlockChars;
    if (headingLine.test(line) || long || full) this.#flush(!headingLine.test(line));
    if (this.#blankInList && this.#block.length > 0) this.#block.push("");
    this.#blankInList = false;
    this.#block.push(line);
    this.#size += line.length + 1;
    const first = this.#block[0] ?? "";
    const paragraph = paragraphLine.test(first) && !listLine.test(first) && !first.includes("|");
    if (headingLine.test(line)) this.#flush();
    else if (this.#size > maxBlockChars || (paragraph && this.#block.length > maxParagraphLines)) {
      this.#flush(true);
    }
  }

  #flush(goesOn = false): void {
    const text = this.#block.join("\n");
    // An empty part is added if the part before it promised with `goesOn` that text follows.
    if (text.trim() !== "" || (this.#open && !goesOn)) {
      this.#parts.push({ kind: "text", text, goesOn });
      this.#open = goesOn;
    }
    this.#block = [];
    this.#size = 0;
    this.#blankInList = false;
  }

  #flushCode(open: Fence, closes: boolean): void {
    const lines = this.#code;
    if (lines.length > 0 || closes || !open.opened) {
      this.#parts.push({ kind: "code", language: open.language, lines, opens: !open.opened, closes });
    }
    open.opened = true;
    this.#code = [];
  }

  /** Takes all pieces of a line longer than `maxBlockChars` except the last piece, and returns the last piece. */
  #cutLong(line: string): string {
    let from = 0;
    while (line.length - from > maxBlockChars) {
      const cut = cutPlace(line, from);
      const piece = line.slice(from, cut);
      if (this.#fence === undefined) {
        this.#takeText(piece);
        this.#flush(true);
      } else this.#code.push(piece);
      this.#midLine = true;
      from = cut;
    }
    return line.slice(from);
  }
}

/**
 * Returns the offset at which to cut: after a space in the second half of the block if there is one, and never inside a
 * surrogate pair.
 */
function cutPlace(line: string, from: number): number {
  const end = from + maxBlockChars;
  const blank = line.lastIndexOf(" ", end - 1);
  if (blank > from + maxBlockChars / 2) return blank + 1;
  return /[\ud800-\udbff]/.test(line.charAt(end - 1)) ? end - 1 : end;
}

/** Returns true if a line ends the code block that the fence began. */
export function closesFence(fence: Pick<Fence, "mark">, line: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(fence.mark) && /^(`+|~+)$/.test(trimmed);
}

/**
 * Cuts an answer that is still coming into parts that cannot change any more. A part is text to be read as Markdown, or
 * lines of a code block, which need not wait for its end. What is left over is drawn again with every frame, so it stays small.
 */

export type AnswerPart =
  /** `goesOn`: the same paragraph, list or table goes on in the next part. */
  | { readonly kind: "text"; readonly text: string; readonly goesOn: boolean }
  /** `opens` with the first lines of a block, `closes` with the last. */
  | {
      readonly kind: "code";
      readonly language: string;
      readonly lines: readonly string[];
      readonly opens: boolean;
      readonly closes: boolean;
    };

export interface BlockSplitter {
  push(text: string): readonly AnswerPart[];
  /** What may still change: the last part as it would be drawn now. */
  rest(): AnswerPart | undefined;
  /** Nothing more comes: what is left. */
  end(): readonly AnswerPart[];
}

/** Behind backticks no other backtick stands: it would be code within a line. */
const fenceLine = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})\s*([^`\s]*)/;
const listLine = /^ {0,3}(?:[-*+]|\d{1,9}[.)])\s/;
const headingLine = /^ {0,3}#{1,6}\s/;
const longestBlock = 4_096;
const longestList = 8;
/** Lines of a paragraph stand by themselves; a line that makes a heading of the one before comes earlier than this. */
const longestParagraph = 6;
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
  /** The beginning of the line has been cut off: what follows begins no line. */
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
      // A list goes on behind a blank line when the next line belongs to it.
      if (inList) this.#blankInList = true;
      else this.#flush();
      return;
    }
    const goesOn = /^\s{2,}\S/.test(line) || listLine.test(line);
    if (this.#blankInList && !goesOn) this.#flush();
    const long = inList && listLine.test(line) && this.#block.length >= longestList;
    const full = this.#block.length > 0 && this.#size + line.length > longestBlock;
    if (headingLine.test(line) || long || full) this.#flush(!headingLine.test(line));
    if (this.#blankInList && this.#block.length > 0) this.#block.push("");
    this.#blankInList = false;
    this.#block.push(line);
    this.#size += line.length + 1;
    const first = this.#block[0] ?? "";
    const paragraph = paragraphLine.test(first) && !listLine.test(first) && !first.includes("|");
    if (headingLine.test(line)) this.#flush();
    else if (this.#size > longestBlock || (paragraph && this.#block.length > longestParagraph))
      this.#flush(true);
  }

  #flush(goesOn = false): void {
    const text = this.#block.join("\n");
    // An empty part ends what was said to go on.
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
    if (lines.length > 0 || closes || !open.opened)
      this.#parts.push({ kind: "code", language: open.language, lines, opens: !open.opened, closes });
    open.opened = true;
    this.#code = [];
  }

  /** A line that is longer than a block is given in pieces; returns its last one. */
  #cutLong(line: string): string {
    let from = 0;
    while (line.length - from > longestBlock) {
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

/** Behind a blank where there is one, never within a character. */
function cutPlace(line: string, from: number): number {
  const end = from + longestBlock;
  const blank = line.lastIndexOf(" ", end - 1);
  if (blank > from + longestBlock / 2) return blank + 1;
  return /[\ud800-\udbff]/.test(line.charAt(end - 1)) ? end - 1 : end;
}

function closesFence(fence: Fence, line: string): boolean {
  const trimmed = line.trim();
  return trimmed.startsWith(fence.mark) && /^(`+|~+)$/.test(trimmed);
}

/** Finds the code blocks of an answer. */
import { closesFence, fenceLine } from "./split-blocks.ts";

export interface CodeBlock {
  /** The language that the fence names; empty if it names none. */
  readonly language: string;
  /** The lines between the fences, each with its line end. */
  readonly code: string;
}

/** Returns the fenced code blocks in order. A block without a closing fence ends at the end of the text. */
export function codeBlocks(text: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { readonly mark: string; readonly language: string; readonly lines: string[] } | undefined;
  const close = () => {
    if (open !== undefined) blocks.push({ language: open.language, code: open.lines.join("") });
    open = undefined;
  };
  for (const line of text.split("\n")) {
    const begins = open === undefined ? fenceLine.exec(line) : null;
    if (begins !== null) open = { mark: begins[1] ?? "```", language: begins[2] ?? "", lines: [] };
    else if (open !== undefined && closesFence(open, line)) close();
    else open?.lines.push(`${line}\n`);
  }
  close();
  return blocks;
}

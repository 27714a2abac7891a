/** Splits an answer into blocks of Markdown. While an answer grows, only its last blocks are parsed again. */
import { isHardMarkdown } from "@localharness/protocol";
import { Lexer, type Token, walkTokens } from "marked";
import { shownText } from "./shown-text.ts";

export type Block =
  | { readonly kind: "markdown"; readonly raw: string; readonly token: Token }
  /** Text that would take too long to parse; it is shown as it was written. */
  | { readonly kind: "plain"; readonly raw: string };

/** The number of last blocks that more text may change: a list, a blank line and `3` become one list when `. c` follows. */
const unsettled = 3;
const maxParsedChars = 200_000;

/** Returns the blocks of a text. Blocks of `before` that cannot change any more are taken over as the same objects. */
export function blocksOf(text: string, before: readonly Block[] = []): readonly Block[] {
  const kept: Block[] = [];
  let at = 0;
  for (const block of before.slice(0, -unsettled)) {
    if (!text.startsWith(block.raw, at)) break;
    kept.push(block);
    at += block.raw.length;
  }
  const rest = text.slice(at);
  if (rest.length > maxParsedChars || isHardMarkdown(rest)) return [...kept, { kind: "plain", raw: rest }];
  const tokens = new Lexer({ gfm: true, breaks: false }).lex(rest);
  // The lexer replaces carriage returns. A block that had one is not in the text; it and later blocks are parsed again.
  return [...kept, ...tokens.map((token) => ({ kind: "markdown", raw: token.raw, token }) as const)];
}

/** Returns the code blocks of a text, as they are shown, in order. */
export function codeBlocksOf(text: string): readonly string[] {
  const codes: string[] = [];
  const tokens = blocksOf(text).flatMap((block) => (block.kind === "markdown" ? [block.token] : []));
  void walkTokens(tokens, (token) => {
    if (token.type === "code") codes.push(shownText(token["text"]));
  });
  return codes;
}

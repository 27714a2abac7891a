/** Turns the body of a page into text. Converts HTML to Markdown, and returns text and JSON unchanged. */

import { found, type Outcome, refused } from "@localharness/workspace/outcome";
import { wordsPattern } from "@localharness/workspace/patterns";
import { convertHtml } from "./convert-html.ts";
import type { Page } from "./fetch-page.ts";

const htmlType = /^(?:text\/html|application\/xhtml\+xml)$/;
const textType = wordsPattern(
  "^",
  String.raw`text\/[\w.+-]+
    application\/(?:json|xml|javascript|ecmascript|yaml|x-yaml|toml|x-sh|sql|graphql|x-ndjson)
    [\w-]+\/[\w.-]+\+(?:json|xml|yaml)`,
  "$",
);

export async function pageText({ url, answer }: Page, signal: AbortSignal): Promise<Outcome<string>> {
  const type = answer.type.split(";")[0]?.trim().toLowerCase() ?? "";
  const isHtml = htmlType.test(type);
  if (type !== "" && !isHtml && !textType.test(type)) {
    const size = `${answer.body.length}${answer.cut ? " or more" : ""} bytes`;
    return refused(
      "validation_failed",
      `${url.href} is ${type.slice(0, 80)} (${size}): only HTML, text and JSON are read.`,
    );
  }
  const text = decode(answer.body, charsetOf(answer.type, answer.body, isHtml));
  if (text.includes("\0")) {
    return refused(
      "validation_failed",
      `${url.href} is not text, although it says so (${type || "no type"}).`,
    );
  }
  return isHtml ? convertHtml(text, url.href, signal) : found(text);
}

function charsetOf(type: string, body: Uint8Array, isHtml: boolean): string {
  const declared = /charset\s*=\s*["']?([\w.:-]+)/i;
  const named = declared.exec(type)?.[1];
  if (named !== undefined || !isHtml) return named ?? "utf-8";
  return declared.exec(Buffer.from(body.subarray(0, 1024)).toString("latin1"))?.[1] ?? "utf-8";
}

/**
 * Decodes bytes. A byte order mark of UTF-16 takes precedence over `charset`. An unknown charset is read as UTF-8; invalid
 * bytes become `\ufffd`.
 */
function decode(body: Uint8Array, charset: string): string {
  const marked =
    body[0] === 0xff && body[1] === 0xfe
      ? "utf-16le"
      : body[0] === 0xfe && body[1] === 0xff
        ? "utf-16be"
        : undefined;
  try {
    return new TextDecoder(marked ?? charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/** Removes the marks of quoting from a text, so that a call in a listing, a quotation or a fence can be read. */

/** Matches the beginning of a quoted line: a number, `file:line:`, a time, or a mark of a quotation, list, table or diff. */
const linePrefix =
  /^(?:\s*\d+(?:\t|\s*[:|]|[.)]\s|\s{2,})|\s*[^\s:]{1,200}:\d+(?::\d+)?:|\s*\[?(?:\d{4}-\d\d-\d\d[T ]?)?(?:\d\d:\d\d(?::\d\d)?\S*)\]?\s|\s*(?:[>|*+-]\s?|\/\/\s?|#\s|<!--\s?))/;
const fence = /^\s*(?:```|~~~)/;

/** Returns the text without line prefixes, fences and backticks. */
export function withoutQuoting(text: string): string {
  return text.split("\n").map(plainLine).join("\n");
}

function plainLine(line: string): string {
  if (fence.test(line)) return "";
  const bare = line.replace(linePrefix, "").trimStart().replaceAll("`", "");
  // A call after a line that ends in a colon would be read as an example, so the colon is replaced.
  const end = bare.trimEnd();
  return end.endsWith(":") && /\w \w/.test(end) ? `${end.slice(0, -1)}.` : bare;
}

/** Returns the words of a text, with a space around each. Quoting, escapes and layout do not change the result. */
export function wordsOf(text: string): string {
  const words = text
    .replace(/(?<!\\)\\+(?:u[0-9a-fA-F]{4}|[nrtbf])|&(?:lt|gt|quot|amp|apos|#x?\w{1,6});/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim();
  return words === "" ? "" : ` ${words} `;
}

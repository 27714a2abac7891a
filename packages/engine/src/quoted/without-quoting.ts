/** Takes the marks of quoting off a text, so that a call in a listing, a quotation or a fence reads as it was written. */

/** What stands in front of lines: numbers, `file:line:`, times, marks of quotations, lists, tables and diffs. */
const linePrefix =
  /^(?:\s*\d+(?:\t|\s*[:|]|[.)]\s|\s{2,})|\s*[^\s:]{1,200}:\d+(?::\d+)?:|\s*\[?(?:\d{4}-\d\d-\d\d[T ]?)?(?:\d\d:\d\d(?::\d\d)?\S*)\]?\s|\s*(?:[>|*+-]\s?|\/\/\s?|#\s|<!--\s?))/;
const fence = /^\s*(?:```|~~~)/;

export function withoutQuoting(text: string): string {
  return text.split("\n").map(plainLine).join("\n");
}

function plainLine(line: string): string {
  if (fence.test(line)) return "";
  const bare = line.replace(linePrefix, "").trimStart().replaceAll("`", "");
  // A line that announces something would make an example of what follows it.
  return /\w \w.*:\s*$/.test(bare) ? bare.replace(/:\s*$/, ".") : bare;
}

/** The words of a text, a blank around each: what is left of it however it is quoted, escaped or laid out. */
export function wordsOf(text: string): string {
  const words = text
    .replace(/\\+(?:u[0-9a-fA-F]{4}|[nrtbf])|&(?:lt|gt|quot|amp|apos|#x?\w{1,6});/g, " ")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim();
  return words === "" ? "" : ` ${words} `;
}

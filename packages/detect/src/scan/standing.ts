/** Judges an opener by the text before it: a call may stand there, or the text quotes a call, shows one, or is data. */
import { backslash, backtick, doubleQuote, lineFeed, singleQuote } from "./characters.ts";
import { isSpace, isWordChar } from "./input.ts";
import type { Scan, Standing } from "./scan.ts";

/** Returns true if an opener with this standing counts at the current position. */
export function mayStand(standing: Standing, { lastCode, out }: Scan): boolean {
  switch (standing) {
    case "anywhere":
    case "start":
      return true;
    case "line":
      // Usually a letter is before it, which already decides.
      return !isWordChar(lastCode) && beginsLine(out.recentText());
    case "word":
      return !isWordChar(lastCode) && !/[\p{L}\p{N}_.$]$/u.test(out.recentText());
    case "value":
      // A value inside other JSON or code: `"key": {`, `x = {`, `call({`, `[{`, `, {`, `a ? {`. A `?` after a word is prose.
      return !/(?:["']\s*:|[=([{,&|<+\\$@]|[\s?)\]]\?|=>|\breturn)$/.test(
        out.recentText().trimEnd().slice(-80),
      );
  }
}

/** Returns true if the text before shows that a call here is not meant to run: it is quoted, commented or an example. */
export function isShown(before: string): boolean {
  return isQuoted(before) || isIntroducedAsExample(before);
}

/** Returns true if text ends after a quotation mark, or in a code span, string, comment, quote, table or printed line. */
export function isQuoted(before: string): boolean {
  const line = lastLine(before);
  if (/(?:^|\W)["'“‘«]$/.test(line.slice(-2))) return true;
  if (endsInQuotes(line) || endsInTemplate(before) || endsInComment(before)) return true;
  return /^\s*(?:>|\||\/\/|\/\*|\*\s|#\s|<!--)/.test(line) || isPrinted.test(line);
}

/**
 * Matches a prefix that programs print before a line: its number, its file and number (`README.md:3:`), a date or time, or the
 * mark of a diff. A number with a point or a bracket after it does not match: it begins an item of a list.
 */
const isPrinted =
  /^(?:\s*\d+(?:\t|\s*[:|]|\s{2,})|\s*[^\s:]{1,200}:\d+(?::\d+)?:|\s*\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)|\+|-$)/;

function lastLine(before: string): string {
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** Returns true if the last line of the text has only white space and Markdown marks. */
export function beginsLine(before: string): boolean {
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const code = before.charCodeAt(index);
    if (code === lineFeed) return true;
    if (!isSpace(code) && !"*_#-".includes(before.charAt(index))) return false;
  }
  return true;
}

/**
 * Returns true if the line ends in a code span (after an odd number of backticks) or in a string of a program (after a quotation
 * mark that follows a sign of code and is not closed). In prose, quotation marks and apostrophes follow a space or a letter.
 */
function endsInQuotes(line: string): boolean {
  let open = 0;
  let backticks = 0;
  let escaped = -1;
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    // Most characters are letters and spaces, which do not matter here.
    if (code > 96 || code < 34) continue;
    if (code === backtick) backticks += 1;
    if (index === escaped) continue;
    if (code === backslash) escaped = index + 1;
    else if (code === open) open = 0;
    else if (
      open === 0 &&
      (code === doubleQuote || code === singleQuote || code === backtick) &&
      followsCode(line, index)
    ) {
      open = code;
    }
  }
  return open !== 0 || backticks % 2 === 1;
}

/** Returns true if a sign of code, or the beginning of the line, is before the index. */
function followsCode(line: string, index: number): boolean {
  let at = index - 1;
  while (at >= 0 && isSpace(line.charCodeAt(at))) at -= 1;
  if (at < 0) return true;
  const sign = line.charAt(at);
  if ("=(:,[{+?".includes(sign)) return true;
  const end = sign === ">" ? "=>" : sign === "." ? "..." : sign === "n" ? "return" : undefined;
  if (end === undefined || !line.endsWith(end, at + 1)) return false;
  return end !== "return" || !isWordChar(line.charCodeAt(at - end.length));
}

/** Returns true if the text ends inside an HTML comment that began at the start of a line. */
function endsInComment(before: string): boolean {
  const start = before.lastIndexOf("\n<!--");
  return (start >= 0 || before.startsWith("<!--")) && before.lastIndexOf("-->") < Math.max(start, 0);
}

/** Returns true if the text ends inside a template string that began on an earlier line. */
function endsInTemplate(before: string): boolean {
  if (!before.includes("`") || !before.includes("\n")) return false;
  const start = Math.max(before.lastIndexOf("(`"), before.lastIndexOf("= `"), before.lastIndexOf(": `"));
  if (start < 0) return false;
  const rest = before.slice(before.indexOf("`", start) + 1);
  return !rest.includes("`") && rest.includes("\n");
}

const exampleWords =
  /(?:\bexamples?\b[^.!?]{0,40}|\be\.g\.|\bfor instance|\bsuch as|\b(?:like|as) (?:this|so|follows)|\blooks? like|\byou (?:can|could|would|should|might|may|must|need to) (?:\w+ ){0,3}?(?:call|write|use|run|invoke|send|emit|output|reply|respond|answer)\b[^.!?]{0,60}|\bsyntax\b[^.!?]{0,30}|\bformat (?:is|of)\b[^.!?]{0,40})[\s:,*_-]*$/i;
const actionWords =
  /\b(?:i'll|i’ll|i will|i am going to|i'm going to|let me (?!show|give|explain|illustrate|demonstrate)|let's|i need to|i should|i have to|calling|executing|running|now i)\b/i;

/** Returns true if the last sentence announces an example and not an action. */
export function isIntroducedAsExample(before: string): boolean {
  const sentence = lastSentence(before);
  return exampleWords.test(sentence) && !actionWords.test(sentence);
}

/** Returns true if the last sentence announces that the model will act. */
export function isAnnouncedAction(before: string): boolean {
  const sentence = lastSentence(before);
  return actionWords.test(sentence) && !/\bexample/i.test(sentence);
}

function lastSentence(before: string): string {
  const trimmed = before.slice(-240).trimEnd();
  const start = Math.max(
    trimmed.lastIndexOf("\n"),
    ...[". ", "! ", "? "].map((end) => trimmed.lastIndexOf(end)),
  );
  return trimmed.slice(start + 1);
}

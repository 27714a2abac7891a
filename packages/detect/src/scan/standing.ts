/** Judges from the text before it whether an opener stands where a call can stand, or is quoted, shown or part of data. */
import { backslash, backtick, doubleQuote, lineFeed, singleQuote } from "./characters.ts";
import { isSpace, isWordChar } from "./input.ts";
import type { Session, Standing } from "./session.ts";

/** Tells whether an opener of this standing can begin something at the current position. */
export function mayStand(standing: Standing, { lastCode, out }: Session): boolean {
  switch (standing) {
    case "anywhere":
    case "start":
      return true;
    case "line":
      // A letter in front of it is enough to know, and the usual case.
      return !isWordChar(lastCode) && beginsLine(out.recentText());
    case "word":
      return !isWordChar(lastCode) && !/[\p{L}\p{N}_.$]$/u.test(out.recentText());
    case "value":
      // A value inside other JSON or code: `"key": {`, `x = {`, `call({`, `[{`, `, {`.
      return !/(?:["']\s*:|[=([{,&|?<+\\$@]|=>|\breturn)$/.test(out.recentText().trimEnd().slice(-80));
  }
}

/** Tells whether what begins here is shown, not done: quoted, in a code span, commented, or announced as an example. */
export function isShown(before: string): boolean {
  return isQuoted(before) || isIntroducedAsExample(before);
}

/** Tells whether what begins here follows a quotation mark, in a code span, a string of a program, or a comment. */
export function isQuoted(before: string): boolean {
  const line = lastLine(before);
  if (/(?:^|\W)["'“‘«]$/.test(line.slice(-2))) return true;
  if (endsInQuotes(line) || endsInTemplate(before) || endsInComment(before)) return true;
  return /^\s*(?:>|\||\/\/|\/\*|\*\s|#\s|<!--)/.test(line) || isPrinted.test(line);
}

/**
 * What programs print in front of a line: its number, where it stands (`README.md:3:`), when it was written, a mark of a
 * diff. A number with a point or a bracket after it is an item of a list.
 */
const isPrinted =
  /^(?:\s*\d+(?:\t|\s*[:|]|\s{2,})|\s*[^\s:]{1,200}:\d+(?::\d+)?:|\s*\[?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d)|\+|-$)/;

function lastLine(before: string): string {
  return before.slice(before.lastIndexOf("\n") + 1);
}

/** Tells whether the last line of the text has nothing but white space and Markdown marks. */
function beginsLine(before: string): boolean {
  for (let index = before.length - 1; index >= 0; index -= 1) {
    const code = before.charCodeAt(index);
    if (code === lineFeed) return true;
    if (!isSpace(code) && !"*_#-".includes(before.charAt(index))) return false;
  }
  return true;
}

/**
 * Tells whether the line ends in a code span, which is an odd number of backticks, or inside a string of a program: a quotation mark
 * after a sign of code, not closed. Quotation marks of prose, and apostrophes, have a space or a letter before them.
 */
function endsInQuotes(line: string): boolean {
  let open = 0;
  let backticks = 0;
  let escaped = -1;
  for (let index = 0; index < line.length; index += 1) {
    const code = line.charCodeAt(index);
    // Most characters are letters and spaces.
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

/** Tells whether the index follows a sign of code, or the beginning of the line. */
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

/** Tells whether a comment of HTML that began on a line before is open at the end. */
function endsInComment(before: string): boolean {
  const start = before.lastIndexOf("\n<!--");
  return (start >= 0 || before.startsWith("<!--")) && before.lastIndexOf("-->") < Math.max(start, 0);
}

/** Tells whether a template string of a program, which may run over lines, is open at the end. */
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

/** Tells whether the sentence right before announces an example and not an action. */
export function isIntroducedAsExample(before: string): boolean {
  const sentence = lastSentence(before);
  return exampleWords.test(sentence) && !actionWords.test(sentence);
}

/** Tells whether the sentence right before announces an action of the model's own. */
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

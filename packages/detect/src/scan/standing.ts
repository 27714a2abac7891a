/** Judges from the text before it whether an opener stands where a call can stand, or is quoted, shown or part of data. */
import { isWordChar } from "./input.ts";
import type { Session, Standing } from "./session.ts";

/** Whether an opener of this standing can begin something at the current position. */
export function mayStand(standing: Standing, { lastCode, out }: Session): boolean {
  switch (standing) {
    case "anywhere":
    case "start":
      return true;
    case "line":
      // A letter in front of it is enough to know, and the usual case.
      return !isWordChar(lastCode) && /^[\s*_#-]*$/.test(lastLine(out.recentText()));
    case "word":
      return !isWordChar(lastCode) && !/[\p{L}\p{N}_.$]$/u.test(out.recentText());
    case "value":
      // A value inside other JSON or code: `"key": {`, `x = {`, `call({`, `[{`, `, {`.
      return !/(?:["']\s*:|[=([{,&|?<+\\$@]|=>|\breturn)$/.test(out.recentText().trimEnd().slice(-80));
  }
}

/** Whether what begins here is shown, not done: quoted, in a code span, commented, or announced as an example. */
export function isShown(before: string): boolean {
  return isQuoted(before) || isIntroducedAsExample(before);
}

/** Whether what begins here stands behind a quotation mark, in a code span, a string of a program, or a comment. */
export function isQuoted(before: string): boolean {
  const line = lastLine(before);
  if (/(?:^|\W)["'“‘«]$/.test(line.slice(-2))) return true;
  if (countBackticks(line) % 2 === 1 || endsInCodeString(line) || endsInTemplate(before)) return true;
  return /^\s*(?:>|\||\/\/|\/\*|\*\s|#\s|<!--)/.test(line);
}

function lastLine(before: string): string {
  return before.slice(before.lastIndexOf("\n") + 1);
}

/**
 * Whether the line ends inside a string of a program: a quotation mark behind a sign of code, not closed. Quotation marks of
 * prose, and apostrophes, have a space or a letter before them.
 */
function endsInCodeString(line: string): boolean {
  let open = 0;
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code === 92) index++;
    else if (code === open) open = 0;
    else if (open === 0 && (code === 34 || code === 39 || code === 96)) {
      const front = line.slice(0, index).trimEnd();
      if (front === "" || /(?:[=(:,[{+?]|=>|\.\.\.|\breturn)$/.test(front.slice(-7))) open = code;
    }
  }
  return open !== 0;
}

/** Whether a template string of a program, which may run over lines, is open at the end. */
function endsInTemplate(before: string): boolean {
  const start = Math.max(before.lastIndexOf("(`"), before.lastIndexOf("= `"), before.lastIndexOf(": `"));
  if (start < 0) return false;
  const rest = before.slice(before.indexOf("`", start) + 1);
  return !rest.includes("`") && rest.includes("\n");
}

function countBackticks(line: string): number {
  let count = 0;
  for (let index = 0; index < line.length; index++) if (line.charCodeAt(index) === 96) count++;
  return count;
}

const exampleWords =
  /(?:\bexamples?\b[^.!?]{0,40}|\be\.g\.|\bfor instance|\bsuch as|\b(?:like|as) (?:this|so|follows)|\blooks? like|\byou (?:can|could|would|should|might|may|must|need to) (?:\w+ ){0,3}?(?:call|write|use|run|invoke|send|emit|output|reply|respond|answer)\b[^.!?]{0,60}|\bsyntax\b[^.!?]{0,30}|\bformat (?:is|of)\b[^.!?]{0,40})[\s:,*_-]*$/i;
const actionWords =
  /\b(?:i'll|i’ll|i will|i am going to|i'm going to|let me (?!show|give|explain|illustrate|demonstrate)|let's|i need to|i should|i have to|calling|executing|running|now i)\b/i;

/** Whether the sentence right before announces an example and not an action. */
export function isIntroducedAsExample(before: string): boolean {
  const sentence = lastSentence(before);
  return exampleWords.test(sentence) && !actionWords.test(sentence);
}

/** Whether the sentence right before announces an action of the model's own. */
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

/** Finds lines in which a model wrote words such as "the rest stays as it is" instead of the code. */
import { wordsPattern } from "../patterns.ts";

const placeholder = wordsPattern(
  [
    String.raw`^\s*(?:\/\/|#|\/\*|\*|<!--|--|;|%|\{\/\*)?\s*[([]?\s*(?:\.{3}|\u2026)?\s*[([]?\s*(?:the\s+)?`,
    String.raw`(?:rest|remainder|remaining|existing|previous|original|other|same|unchanged)\b.{0,60}\b`,
  ].join(""),
  `code file contents? implementation methods? functions? class lines? imports? unchanged before same here logic
  body remains? text`,
  String.raw`\b.*$`,
  "i",
);

/** Returns the first line of `text` that replaces code and is not in `before`, cut to 120 characters; else undefined. */
export function findPlaceholder(text: string, before: string): string | undefined {
  const line = text
    .split("\n")
    .find((candidate) => isPlaceholder(candidate) && !before.includes(candidate.trim()));
  return line?.trim().slice(0, 120);
}

function isPlaceholder(line: string): boolean {
  return line.length < 200 && (line.includes("...") || line.includes("…")) && placeholder.test(line);
}

/** Returns the message for the model. */
export function placeholderMessage(line: string, advice: string): string {
  return `The text contains "${line}", which replaces code that is missing; it would be written as it is. ${advice}`;
}

/**
 * Escapes a diff that a person has to judge, so that it hides nothing. Code that is indented with tabs stays readable.
 */
import { judgedText } from "./plain-text.ts";

const indentation = /^[ +-]\t+/gm;

/** Returns the diff as `judgedText` does, but with each tab of the indentation as four spaces. */
export function judgedDiff(diff: string): string {
  return judgedText(diff.includes("\t") ? diff.replace(indentation, blanks) : diff);
}

function blanks(begin: string): string {
  return begin.replaceAll("\t", "    ");
}

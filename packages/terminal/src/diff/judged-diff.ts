/** A diff for a person to judge: nothing in it is hidden, and code that is indented by tabs can still be read. */
import { judgedText } from "../plain-text.ts";

const indentation = /^[ +-]\t+/gm;

/** Tabs that begin a line stand as blanks; many of those are counted, and any other tab is written out. */
export function judgedDiff(diff: string): string {
  return judgedText(diff.includes("\t") ? diff.replace(indentation, blanks) : diff);
}

function blanks(begin: string): string {
  return begin.replaceAll("\t", "    ");
}

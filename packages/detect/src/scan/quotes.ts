/** Names the quotes and separators that models write in place of those of JSON and Python. */
import { backtick, doubleQuote, equals, semicolon, singleQuote } from "./characters.ts";

const typographic: { readonly [open: number]: number } = { 8220: 8221, 8216: 8217, [backtick]: backtick };
const fullwidthComma = 0xff0c;
const fullwidthColon = 0xff1a;

/** Returns true for a semicolon and for the comma of Chinese texts. */
export function isOtherComma(code: number): boolean {
  return code === semicolon || code === fullwidthComma;
}

/** Returns true for `=`, with which `=>` begins too, and for the colon of Chinese texts. */
export function isOtherColon(code: number): boolean {
  return code === equals || code === fullwidthColon;
}

/** Returns true for `"` and `'`; with `isLenient` also for a backtick and for the typographic quotes that open a text. */
export function opensText(code: number, isLenient: boolean): boolean {
  return code === doubleQuote || code === singleQuote || (isLenient && typographic[code] !== undefined);
}

/** Returns the code of the quote that closes what this one opens. */
export function closingQuote(code: number): number {
  return typographic[code] ?? code;
}

/** Writes JavaScript without characters beyond ASCII, so that V8 keeps it at one byte a character, not two. */

/** A place where an escape would mean something else: after a backslash, and in a raw template. */
const notEscapable = /(?<!\\)(?:\\\\)*\\[^\0-\x7f]|\braw`[^`]*[^\0-\x7f]/;

/** Returns the same program with `\uXXXX` for each UTF-16 unit beyond ASCII. Throws where that would change it. */
export function asciiSource(code: string): string {
  const place = notEscapable.exec(code);
  if (place !== null) throw new Error(`cannot be written in ASCII: ${JSON.stringify(place[0].slice(-80))}`);
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

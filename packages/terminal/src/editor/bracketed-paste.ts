/** Wraps and unwraps pasted text in the bracketed-paste escape sequences that terminals send. */

const begin = "\u001b[200~";
const end = "\u001b[201~";

export function bracketedPaste(text: string): string {
  return `${begin}${text}${end}`;
}

/** Returns the pasted text; undefined when `data` is a key. */
export function pastedIn(data: string): string | undefined {
  if (!data.startsWith(begin) || !data.endsWith(end)) return undefined;
  return data.slice(begin.length, -end.length);
}

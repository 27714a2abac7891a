/** A paste as terminals send it, and as it goes to whatever takes text: between two marks. */

const begin = "\u001b[200~";
const end = "\u001b[201~";

export function bracketedPaste(text: string): string {
  return `${begin}${text}${end}`;
}

/** What was pasted; undefined when it was a key. */
export function pastedIn(data: string): string | undefined {
  if (!data.startsWith(begin) || !data.endsWith(end)) return undefined;
  return data.slice(begin.length, -end.length);
}

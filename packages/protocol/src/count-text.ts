/** Counts a noun for people. */

/** Returns a count with its noun, in the plural `many` unless the count is 1: `1 message`, `12 messages`, `2 entries`. */
export function countText(count: number, what: string, many = `${what}s`): string {
  return `${count} ${count === 1 ? what : many}`;
}

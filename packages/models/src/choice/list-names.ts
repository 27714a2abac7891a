/** Formats a list of names for a message. */

/** Returns a text such as `a, b, c and 4 more`; undefined for an empty list. */
export function listNames(names: readonly string[], most = 12): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, most).join(", ");
  return names.length > most ? `${shown} and ${names.length - most} more` : shown;
}

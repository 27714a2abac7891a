/** Finds the rows of a list that a person means. */

/**
 * Returns the rows that contain all words of `text`. Rows whose label is the first word, begins with it or contains it
 * come first.
 */
export function matching<Row extends { readonly label: string; readonly about: string }>(
  rows: readonly Row[],
  text: string,
): readonly Row[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter(({ label, about }) => {
    const whole = `${label} ${about}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const rank = ({ label }: Row) => {
    const name = label.toLowerCase().replace(/^\//, "");
    const first = words[0] ?? "";
    if (name === first) return 0;
    return name.startsWith(first) ? 1 : name.includes(first) ? 2 : 3;
  };
  return words.length === 0 ? found : found.toSorted((a, b) => rank(a) - rank(b));
}

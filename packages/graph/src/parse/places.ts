/**
 * Stores the places where a file uses names as one text, which takes a tenth of the space of one row for each place.
 * Every line has a name and its places, such as `readFile<TAB>c12 r15 r20`. The letter is the kind of use, and the
 * number is the line.
 */

/** `d` is a definition, `c` a call, `i` an import, and `r` any other use. */
export type PlaceKind = "d" | "c" | "i" | "r";

export interface SourcePlace {
  readonly kind: PlaceKind;
  /** The line number, from 1. */
  readonly line: number;
}

export function writePlaces(names: ReadonlyMap<string, readonly SourcePlace[]>): string {
  const lines = Array.from(
    names,
    ([name, places]) => `${name}\t${places.map(({ kind, line }) => kind + line).join(" ")}\n`,
  );
  return `\n${lines.join("")}`;
}

/** Returns the places of a name in a text that `writePlaces` has returned. */
export function readPlaces(text: string, name: string): readonly SourcePlace[] {
  const start = text.indexOf(`\n${name}\t`);
  if (start === -1) return [];
  const from = start + name.length + 2;
  return text
    .slice(from, text.indexOf("\n", from))
    .split(" ")
    .map((place) => ({ kind: place.charAt(0) as PlaceKind, line: Number(place.slice(1)) }));
}

/** Returns the names in a text that `writePlaces` has returned, each with its number of places. */
export function namesIn(text: string): readonly { readonly name: string; readonly uses: number }[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [name = "", places = ""] = line.split("\t");
      return { name, uses: places.split(" ").length };
    });
}

/** Reads the name that a question asks for. */
import { maxNameChars } from "./read-tree.ts";

export interface AskedName {
  readonly name: string;
  /** The names of the containers before it, joined by dots; empty if there are none. */
  readonly container: string;
}

/** Matches what separates containers and names. A `#` that begins a name, as in `A.#count`, belongs to the name. */
const separator = /\.|::|->|\\|(?<=[^.:>\\])#/;

/**
 * Returns the names that a text may mean, the likelier first. `a.b`, `a::b`, `a#b` and `a->b` mean `b` in the container `a`,
 * or else the name as it is written, which a shell function may have. A `(` and what follows it do not count.
 */
export function askedNames(asked: string): readonly AskedName[] {
  const whole = asked.replace(/\(.*$/s, "").trim();
  const parts = whole.split(separator).filter((part) => part !== "");
  const last = { name: cut(parts.at(-1) ?? ""), container: parts.slice(0, -1).join(".") };
  const written = { name: cut(whole), container: "" };
  const both = parts.length > 1 ? [last, written] : [written, last];
  return both.filter(
    ({ name }, index) => name !== "" && both.findIndex((one) => one.name === name) === index,
  );
}

/** Returns the part of a name that the index has. */
function cut(name: string): string {
  return name.slice(0, maxNameChars);
}

/** Reads a choice of tools: sets, tools, and tools that are left out. */

export interface ReadChoice {
  /** The sets and tools that are chosen. */
  readonly named: readonly string[];
  /** The tools that are left out. */
  readonly left: readonly string[];
}

/** Reads a list of sets and tools. A tool after `-` is left out; a list of only such tools begins with `standard`. */
export function readChoice(list: readonly string[]): ReadChoice {
  const named = list.filter((name) => !name.startsWith("-"));
  const left = list.filter((name) => name.startsWith("-")).map((name) => name.slice(1));
  return { named: named.length === 0 && left.length > 0 ? ["standard"] : named, left };
}

/**
 * Matches patterns for paths and text. `*` matches any characters, in a path except `/`; `**` matches any number of names. The
 * time is at most the product of the lengths of pattern and text.
 */

/** A pattern for paths. A path is given as the list of its names; the list of the workspace root is empty. */
export interface PathGlob {
  /** Returns true if the path matches. */
  matches(names: readonly string[]): boolean;
  /** Returns true if a path below the given path could match. */
  reaches(names: readonly string[]): boolean;
  /** Returns true if the given path and every path below it match. */
  covers(names: readonly string[]): boolean;
  /** True for a pattern of paths outside the workspace. */
  readonly outside: boolean;
  /** A name that every matching path contains; undefined if the pattern has none. */
  readonly literal: string | undefined;
}

const maxChars = 1_000;

/** Returns the problem of a path pattern, in words; undefined if the pattern is valid. */
export function globProblem(glob: string): string | undefined {
  if (glob === "") return 'a path is empty; "." is the workspace itself';
  if (glob.length > maxChars) return `a path is longer than ${maxChars} characters`;
  if (glob.includes("\\")) return `the path ${JSON.stringify(glob)} has a "\\": names are separated by "/"`;
  const names = namesOf(glob);
  if (names.includes("..")) {
    return `the path ${JSON.stringify(glob)} has "..": it is relative to the workspace`;
  }
  const mixed = names.find((name) => name.includes("**") && name !== "**");
  if (mixed !== undefined) {
    return `in the path ${JSON.stringify(glob)} "**" must stand alone between "/", not as ${JSON.stringify(mixed)}`;
  }
  return undefined;
}

/** Returns the names in a path. The first name of an absolute path is empty. */
export function namesOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.filter((name, index) => name !== "." && (name !== "" || (index === 0 && names.length > 1)));
}

/** Returns true if the names belong to a path outside the workspace. */
export function leavesWorkspace(names: readonly string[]): boolean {
  return names[0] === "" || names[0] === "..";
}

/** Returns the compiled pattern. If `fold` is given to ignore case, paths must be folded with it before they are matched. */
export function pathGlob(glob: string, fold: (text: string) => string = (text) => text): PathGlob {
  const pattern = namesOf(fold(glob));
  const parts = pattern.map((name) => (name === "**" ? undefined : textGlob(name)));
  return {
    matches: (names) => matchesNames(parts, names),
    reaches: (names) => reaches(parts, names),
    covers: (names) => parts.at(-1) === undefined && parts.length > 0 && matchesNames(parts, names),
    outside: leavesWorkspace(pattern),
    literal: pattern.find((name) => name !== "" && !name.includes("*")),
  };
}

type Part = ((name: string) => boolean) | undefined;

/** Returns true if the parts match all names. After a mismatch, the last `**` takes one more name. */
function matchesNames(parts: readonly Part[], names: readonly string[]): boolean {
  let part = 0;
  let name = 0;
  let retry: { readonly part: number; name: number } | undefined;
  while (name < names.length) {
    const test = parts[part];
    if (part < parts.length && test === undefined) {
      retry = { part: part + 1, name };
      part += 1;
    } else if (test?.(names[name] ?? "")) {
      part += 1;
      name += 1;
    } else if (retry !== undefined) {
      retry.name += 1;
      name = retry.name;
      part = retry.part;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === undefined);
}

function reaches(parts: readonly Part[], names: readonly string[]): boolean {
  for (const [index, name] of names.entries()) {
    if (index >= parts.length) return false;
    const test = parts[index];
    if (test === undefined) return true;
    if (!test(name)) return false;
  }
  return parts.length > names.length;
}

/** Returns a function that matches text against a pattern in which only `*` is special. */
export function textGlob(glob: string): (text: string) => boolean {
  const pieces = glob.split("*");
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return (text) => text === glob;
  const least = first.length + last.length;
  return (text) => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const piece of rest) {
      const found = text.indexOf(piece, at);
      if (found === -1 || found + piece.length > end) return false;
      at = found + piece.length;
    }
    return true;
  };
}

/** Returns the text in lower case, for comparisons that ignore case. */
export function foldCase(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

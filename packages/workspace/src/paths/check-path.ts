/** Checks a path as text and refuses what can be refused without disk access. */

import { isAbsolute, relative, sep } from "node:path";
import { countText } from "@localharness/protocol";
import { found, type Outcome, refused } from "../outcome.ts";

const maxPathChars = 4096;
const advice = 'Paths are relative to the workspace, for example "src/main.ts"; "." is the workspace itself.';

/** Matches a path that is empty or absolute, has a NUL, or has a segment that is empty, `.` or `..`. */
const needsCare = /\0|(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * Returns the segments of a path relative to the workspace, without empty segments and `.`. Keeps `..`, because after a link
 * only the disk can resolve it, but fails if it leads above the root. Accepts an absolute path inside the workspace. `added` has
 * the folders that messages name.
 */
export function checkPath(
  path: string,
  root: string,
  added: readonly { readonly root: string }[] = [],
): Outcome<readonly string[]> {
  if (path.length <= maxPathChars && sep === "/" && !needsCare.test(path)) return found(path.split("/"));
  if (path === "") return refused("validation_failed", `The path is empty. ${advice}`);
  if (path.includes("\0")) {
    return refused("validation_failed", "The path contains a NUL character. Send the path without it.");
  }
  if (path.length > maxPathChars) {
    return refused(
      "validation_failed",
      `The path has ${countText(path.length, "character")}, at most ${maxPathChars} are possible.`,
    );
  }
  const text = isAbsolute(path) ? relativeForm(path, root) : path;
  if (text === undefined) {
    return refused(
      "validation_failed",
      `"${path}" is an absolute path that leads out of the workspace. ${advice}${alsoReached(added)}`,
    );
  }
  return withinRoot(text, path, added);
}

/** Returns a sentence with the folders beside the workspace; empty if there are none. */
function alsoReached(added: readonly { readonly root: string }[]): string {
  if (added.length === 0) return "";
  return ` Absolute paths also reach ${added.map(({ root }) => JSON.stringify(root)).join(", ")}.`;
}

function withinRoot(
  text: string,
  shown: string,
  added: readonly { readonly root: string }[],
): Outcome<readonly string[]> {
  const segments = text.split(sep === "\\" ? /[\\/]/ : "/").filter(isMeant);
  const special = sep === "\\" ? segments.find(isWindowsSpecial) : undefined;
  if (special !== undefined) {
    return refused(
      "validation_failed",
      `"${shown}" has the part "${special}", which Windows does not take as a plain name. ${advice}`,
    );
  }
  let depth = 0;
  for (const segment of segments) {
    depth += segment === ".." ? -1 : 1;
    if (depth < 0) {
      return refused(
        "validation_failed",
        `"${shown}" leads out of the workspace by "..". ${advice}${alsoReached(added)}`,
      );
    }
  }
  return found(segments);
}

/**
 * Returns true for names with which Windows opens something else: devices, names with a stream, and names that end in a dot or
 * space.
 */
export function isWindowsSpecial(segment: string): boolean {
  return (
    /[:<>"|?*\p{Cc}]/u.test(segment) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:[ .].*)?$/i.test(segment) ||
    (segment !== ".." && /[. ]$/.test(segment))
  );
}

/** Returns the path relative to the root, by its text; undefined if it is outside. */
export function relativeForm(path: string, root: string): string | undefined {
  if (sep === "\\") {
    const inside = relative(root, path);
    return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside;
  }
  // Removes only empty segments and `.`; after a link only the disk can resolve `..`.
  const segments = path.split("/").filter(isMeant);
  const above = root.split("/").filter(isMeant);
  return above.every((segment, index) => segments[index] === segment)
    ? segments.slice(above.length).join("/")
    : undefined;
}

function isMeant(segment: string): boolean {
  return segment !== "" && segment !== ".";
}

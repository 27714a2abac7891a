/** Checks a path as text and refuses what can be refused without disk access. */
import { isAbsolute, relative, sep } from "node:path";
import { found, type Outcome, refused } from "../outcome.ts";

const maxPathChars = 4096;
const advice = 'Paths are relative to the workspace, for example "src/main.ts"; "." is the workspace itself.';

/** Matches a path that is empty or absolute, has a NUL, or has a segment that is empty, `.` or `..`. */
const needsCare = /\0|(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * Returns the segments of a path relative to the workspace, without empty segments and `.`. Keeps `..`, because after a link
 * only the disk can resolve it, but fails if it leads above the root. Accepts an absolute path inside the workspace.
 */
export function checkPath(path: string, root: string): Outcome<readonly string[]> {
  if (path.length <= maxPathChars && sep === "/" && !needsCare.test(path)) return found(path.split("/"));
  if (path === "") return refused("validation_failed", `The path is empty. ${advice}`);
  if (path.includes("\0")) {
    return refused("validation_failed", "The path contains a NUL character. Send the path without it.");
  }
  if (path.length > maxPathChars) {
    return refused(
      "validation_failed",
      `The path has ${path.length} characters, at most ${maxPathChars} are possible.`,
    );
  }
  const text = isAbsolute(path) ? relativeForm(path, root) : path;
  if (text === undefined) {
    return refused(
      "validation_failed",
      `"${path}" is an absolute path that leads out of the workspace. ${advice}`,
    );
  }
  return withinRoot(text, path);
}

function withinRoot(text: string, shown: string): Outcome<readonly string[]> {
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
      return refused("validation_failed", `"${shown}" leads out of the workspace by "..". ${advice}`);
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

/** Returns the path relative to the root; undefined if it is outside. */
function relativeForm(path: string, root: string): string | undefined {
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

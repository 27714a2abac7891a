/** Reads a path as text only: what can be refused without looking at the disk. */
import { isAbsolute, relative, sep } from "node:path";
import { found, type Outcome, refused } from "../outcome.ts";

const longestPath = 4096;
const advice = 'Paths are relative to the workspace, for example "src/main.ts"; "." is the workspace itself.';

/** Empty, absolute, with NUL, or with a part that is empty, `.` or `..`. */
const needsCare = /\0|(?:^|\/)\.{0,2}(?:\/|$)/;

/**
 * The segments of a path relative to the workspace, without empty ones and `.`; `..` stays where it does not lead
 * above the root, because only the disk knows what lies behind a link. An absolute path counts when it lies inside.
 */
export function checkPath(path: string, root: string): Outcome<readonly string[]> {
  if (path.length <= longestPath && sep === "/" && !needsCare.test(path)) {
    return found(path.split("/"));
  }
  if (path === "") {
    return refused("validation_failed", `The path is empty. ${advice}`);
  }
  if (path.includes("\0")) {
    return refused("validation_failed", "The path contains a NUL character. Send the path without it.");
  }
  if (path.length > longestPath) {
    return refused(
      "validation_failed",
      `The path has ${path.length} characters, at most ${longestPath} are possible.`,
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

/** Names of devices, of streams in files, and names that Windows would cut: none of them is what it says. */
export function isWindowsSpecial(segment: string): boolean {
  return (
    /[:<>"|?*\p{Cc}]/u.test(segment) ||
    /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(?:[ .].*)?$/i.test(segment) ||
    (segment !== ".." && /[. ]$/.test(segment))
  );
}

/** The path seen from the root, or undefined when it does not begin with it. */
function relativeForm(path: string, root: string): string | undefined {
  if (sep === "\\") {
    const inside = relative(root, path);
    return inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? undefined : inside;
  }
  // Nothing is taken out of the text but what means nothing: what `..` leads to behind a link is for the disk to say.
  const segments = path.split("/").filter(isMeant);
  const above = root.split("/").filter(isMeant);
  return above.every((segment, index) => segments[index] === segment)
    ? segments.slice(above.length).join("/")
    : undefined;
}

function isMeant(segment: string): boolean {
  return segment !== "" && segment !== ".";
}

/** Makes names comparable that some file system, or some program, takes for the same. */

const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Format}]/gu;

/**
 * One component of a path, folded: composed, without case, without characters that file systems ignore, without the
 * dots, spaces and stream names that Windows drops from its end. Never NFKC: a full-width dot is no dot.
 */
export function foldName(component: string): string {
  const visible = component.normalize("NFC").replaceAll(ignorable, "");
  const withoutStream = visible.replace(/:.*$/su, "");
  // Up and then down also folds letters that have several small forms, such as the long s.
  return withoutStream
    .replace(/[. ]+$/u, "")
    .toUpperCase()
    .toLowerCase();
}

/** The folded components of a path, whichever way its slashes lean, without empty ones and dots. */
export function foldPath(path: string): readonly string[] {
  return path
    .split(/[\\/]/)
    .map(foldName)
    .filter((component) => component !== "");
}

/** True when `component`, folded, is or may be the 8.3 name that Windows made for `name` (folded, long). */
export function isShortNameOf(component: string, name: string): boolean {
  const [, stem = "", extension = ""] = /^([^~.]{1,6})~\d{1,6}(\.[^.]{0,3})?$/.exec(component) ?? [];
  if (stem === "") {
    return false;
  }
  const bare = name.replace(/^\.+/, "");
  const dot = bare.lastIndexOf(".");
  const longStem = (dot === -1 ? bare : bare.slice(0, dot)).replaceAll(/[. ]/g, "");
  const longExtension = dot === -1 ? "" : bare.slice(dot, dot + 4);
  const hashed = /^..[\da-f]{4}$/.test(stem) && longStem.startsWith(stem.slice(0, 2));
  return extension === longExtension && (longStem.slice(0, 6) === stem || hashed);
}

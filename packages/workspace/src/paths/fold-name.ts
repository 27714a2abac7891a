/** Folds file names, so that names which some file system or program treats as the same name become equal. */

/** Matches an ASCII name without a stream name, a dot or a space at its end: only its case has to be folded. */
const plain = /^(?:[\x20-\x39\x3b-\x7e]*[\x21-\x2d\x2f-\x39\x3b-\x7e])?$/;
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Format}]/gu;

/**
 * Returns one component of a path in a normal form: NFC, lower case, without characters that file systems ignore, and without
 * the dots, spaces and stream names that Windows drops at the end. NFKC is not used, because a full-width dot is not a dot.
 */
export function foldName(component: string): string {
  if (plain.test(component)) return component.toLowerCase();
  const visible = component.normalize("NFC").replaceAll(ignorable, "");
  const withoutStream = visible.replace(/:.*$/su, "");
  // The change to upper case comes first, because it also folds letters with several lower-case forms, such as the long s.
  return withoutStream
    .replace(/[. ]+$/u, "")
    .toUpperCase()
    .toLowerCase();
}

/**
 * Returns the folded components of a path, which may have slashes or backslashes. Leaves out empty components, `.` and
 * `..`.
 */
export function foldPath(path: string): readonly string[] {
  return path
    .split(/[\\/]/)
    .map(foldName)
    .filter((component) => component !== "");
}

/** Returns true if `component` (folded) may be the 8.3 name that Windows has created for `name` (folded, long). */
export function isShortNameOf(component: string, name: string): boolean {
  const [, stem = "", extension = ""] = /^([^~.]{1,6})~\d{1,6}(\.[^.]{0,3})?$/.exec(component) ?? [];
  if (stem === "") return false;
  const bare = name.replace(/^\.+/, "");
  const dot = bare.lastIndexOf(".");
  const longStem = (dot === -1 ? bare : bare.slice(0, dot)).replaceAll(/[. ]/g, "");
  const longExtension = dot === -1 ? "" : bare.slice(dot, dot + 4);
  const hashed = /^..[\da-f]{4}$/.test(stem) && longStem.startsWith(stem.slice(0, 2));
  return extension === longExtension && (longStem.slice(0, 6) === stem || hashed);
}

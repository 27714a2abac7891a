/** Reads the rules of `.gitignore` files, and decides which names they ignore. */

export interface IgnoreRule {
  readonly negated: boolean;
  /** True for a rule about folders only. */
  readonly foldersOnly: boolean;
  /** True if the pattern is compared with the path below the folder of the file; else with the name alone. */
  readonly anchored: boolean;
  readonly pattern: RegExp;
}

/** The rules of one file. They hold below `folder`, a path with `/` that ends with `/`, or is empty. */
export interface IgnoreFile {
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
}

const maxRules = 5_000;
const maxPattern = 500;
/**
 * The maximum number of stars in a pattern, because each one multiplies the time. A rule with more of them ignores nothing, so that
 * more is kept than git would track.
 */
const maxStars = 3;

export function readIgnoreRules(text: string): readonly IgnoreRule[] {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/, maxRules)
    .flatMap((line) => readRule(line) ?? []);
}

function readRule(line: string): IgnoreRule | undefined {
  const text = line.replace(/(?<!\\)\s+$/, "");
  if (text === "" || text.startsWith("#") || text.length > maxPattern) return undefined;
  const negated = text.startsWith("!");
  const whole = negated ? text.slice(1) : text;
  const foldersOnly = whole.endsWith("/");
  // Repeated stars match as one does.
  const body = (foldersOnly ? whole.slice(0, -1) : whole).replace(/(?:\*\*\/){2,}/g, "**/");
  if ((body.match(/\*+/g) ?? []).length > maxStars) return undefined;
  const anchored = body.includes("/");
  const source = patternSource(body.replace(/^\//, ""));
  if (source === undefined) return undefined;
  return { negated, foldersOnly, anchored, pattern: new RegExp(`^${source}$`, "su") };
}

/** Returns a pattern as a regular expression; undefined for one that matches nothing. */
function patternSource(pattern: string): string | undefined {
  let source = "";
  let at = 0;
  while (at < pattern.length) {
    const rest = pattern.slice(at);
    const [matched, replaced] = token(rest, at === 0 || pattern[at - 1] === "/");
    if (replaced === undefined) return undefined;
    source += replaced;
    at += matched;
  }
  return source;
}

/** Returns the length of the first token of a pattern and its regular expression. `atName` is true where a name begins. */
function token(rest: string, atName: boolean): readonly [number, string | undefined] {
  if (atName && rest === "**") return [2, ".+"];
  if (atName && rest.startsWith("**/")) return [3, "(?:.*/)?"];
  const stars = /^\*+/.exec(rest)?.[0];
  if (stars !== undefined) return [stars.length, "[^/]*"];
  if (rest.startsWith("?")) return [1, "[^/]"];
  if (rest.startsWith("[")) return bracket(rest);
  if (rest.startsWith("\\")) return rest.length === 1 ? [1, undefined] : literal(rest.slice(1), 1);
  return literal(rest, 0);
}

function literal(rest: string, before: number): readonly [number, string] {
  const [char = ""] = rest;
  return [before + char.length, char.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")];
}

const classes: Readonly<Record<string, string>> = {
  alpha: "\\p{L}",
  digit: "0-9",
  alnum: "\\p{L}0-9",
  upper: "\\p{Lu}",
  lower: "\\p{Ll}",
  space: "\\s",
  punct: "!-\\/:-@\\[-`\\{-~",
};

function bracket(rest: string): readonly [number, string | undefined] {
  const found = /^\[([!^]?)(\]?(?:\[:\w+:\]|\\.|[^\]\\])*)\]/s.exec(rest);
  if (found === null) return [1, undefined];
  const [whole, negation = "", body = ""] = found;
  const inside = body
    .replace(/\\(.)/gs, "$1")
    .replace(
      /\[:(\w+):\]|([\\\]^&~[|(){}/.$*+?!#%,:;<=>@`"'])/gs,
      (_, name: string | undefined, sign: string) =>
        name === undefined ? escapedInClass(sign) : (classes[name] ?? ""),
    );
  const source = `(?!/)[${negation === "" ? "" : "^"}${inside}]`;
  try {
    new RegExp(source, "u");
    return [whole.length, source];
  } catch {
    return [whole.length, undefined];
  }
}

function escapedInClass(sign: string): string {
  return /[\\\]^[|(){}/.$*+?]/.test(sign) ? `\\${sign}` : sign;
}

/** Returns true if the path is ignored. The last rule that matches decides; later files come before earlier ones. */
export function isIgnored(files: readonly IgnoreFile[], path: string, isFolder: boolean): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  for (let index = files.length - 1; index >= 0; index -= 1) {
    const { folder, rules } = files[index] ?? { folder: "", rules: [] };
    const below = path.slice(folder.length);
    for (let rule = rules.length - 1; rule >= 0; rule -= 1) {
      const one = rules[rule];
      if (one === undefined || (one.foldersOnly && !isFolder)) continue;
      if (one.pattern.test(one.anchored ? below : name)) return !one.negated;
    }
  }
  return false;
}

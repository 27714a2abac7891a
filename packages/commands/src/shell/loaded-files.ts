/** Finds the files that the text of a program loads by name: modules, scripts, files that it runs. */
import { anyOf, wordsPattern } from "@localharness/workspace/patterns";

const maxNames = 120;

/** Matches words after which a program names a file that it loads or runs. */
const loads = anyOf(
  wordsPattern(
    String.raw`\b`,
    String.raw`require\w* include\w* import\w* from export load\w* use do source exec\w* eval compile run\w*
    system spawn\w* fork popen call check_\w+ Worker register autoload dofile`,
    String.raw`\b`,
    "i",
  ),
  /`/,
);
const quoted = /"([^"\n]{1,200})"|'([^'\n]{1,200})'|`([^`\n]{1,200})`/g;
const ofPython =
  /(?:^|[;:\n])[ \t]*(?:from[ \t]+([.\w]+)[ \t]+import[ \t]+\(?([^\n;#]*)|import[ \t]+([^\n;#]+))/g;
const ofPerl = /(?:^|[;\n{])[ \t]*(?:use|require|no)[ \t]+(?:(?:lib|base|parent)[ \t]+)?([\w:]+)/g;

const endings = "js mjs cjs ts mts cts jsx tsx json node py rb pl pm lua php sh".split(" ");

/**
 * Returns the paths at which a program's text may load files. They are relative to the program's folder or to the current
 * folder.
 */
export function loadedNames(text: string): readonly string[] {
  const found = new Set<string>();
  // In JSON, such as package.json, any string may name a file.
  const lines = text.split("\n").filter((line) => text.startsWith("{") || loads.test(line));
  for (const word of lines.flatMap(quotedWords)) {
    if (found.size > maxNames * endings.length) break;
    for (const name of spelled(word)) found.add(name);
  }
  for (const [, from = "", names = "", modules = ""] of text.matchAll(ofPython)) {
    const inModule = from === "" ? [] : ["", ...namesOf(names)].flatMap((name) => modulePaths(from, name));
    const whole = namesOf(modules).flatMap((name) => modulePaths(name));
    for (const path of [...whole, ...inModule]) found.add(path);
  }
  for (const [, name = ""] of text.matchAll(ofPerl)) for (const path of perlPaths(name)) found.add(path);
  return [...found];
}

function quotedWords(line: string): readonly string[] {
  const texts = [...line.matchAll(quoted)].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  return texts.flatMap((text) => text.split(/[\s;&|()<>]+/));
}

function spelled(word: string): readonly string[] {
  const name = word.replace(/^file:(?:\/\/)?/, "").replace(/\/+$/, "");
  if (name === "" || name === "." || name.startsWith("-") || /[*?$]/.test(name)) return [];
  const bare = /^[\w@]/.test(name);
  return [
    name,
    ...endings.map((ending) => `${name}.${ending}`),
    // TypeScript imports name `a.ts` as `a.js`, which is its name after compilation.
    ...(/\.[cm]?js$/.test(name) ? [name.replace(/js$/, "ts")] : []),
    ...["js", "mjs", "cjs", "ts", "json"].map((ending) => `${name}/index.${ending}`),
    `${name}/package.json`,
    ...(bare ? ["package.json", "index.js"].map((file) => `node_modules/${name}/${file}`) : []),
  ];
}

/** Returns the names of the modules in a list such as `a, b as c`. */
function namesOf(list: string): readonly string[] {
  return list.split(",").flatMap((one) => /^\s*([.\w]+)/.exec(one)?.slice(1) ?? []);
}

/**
 * Returns the paths that Python may load for a module such as `a.b`, and for `name` in it. Leading dots of the module lead
 * upwards from the folder of the program.
 */
export function modulePaths(module: string, name = ""): readonly string[] {
  const [, dots = "", rest = ""] = /^(\.*)(.*)$/.exec(module) ?? [];
  const up = dots.length > 1 ? "../".repeat(dots.length - 1) : "";
  const parts = [...rest.split("."), name].filter((part) => part !== "");
  return parts.flatMap((_, index) => {
    const path = `${up}${parts.slice(0, index + 1).join("/")}`;
    return [
      `${path}.py`,
      `${path}/__init__.py`,
      ...(index === parts.length - 1 ? [`${path}/__main__.py`] : []),
    ];
  });
}

function perlPaths(name: string): readonly string[] {
  const path = name.replaceAll("::", "/");
  return [`${path}.pm`, `lib/${path}.pm`];
}

/** Returns the first 120 commands in the recipes of a makefile, with the values that it assigns to its variables. */
export function recipesOf(makefile: string): readonly string[] {
  const joined = makefile.replace(/\\\r?\n/g, " ");
  const values = new Map(
    [...joined.matchAll(/^[ \t]*(\w+)[ \t]*[:?+]{0,2}=[ \t]*([^\n#]*)/gm)].map(
      ([, name = "", value = ""]) => [name, value.trim()],
    ),
  );
  const filled = (line: string) =>
    line
      .replace(/\$[({](\w+)[)}]/g, (_, name: string) => values.get(name) ?? name.toLowerCase())
      .replaceAll("$$", "$");
  const ofRules = [...joined.matchAll(/^[^\s#:=][^\n:=]*:[^\n=;]*;([^\n]*)/gm)].map(([, text = ""]) => text);
  const lines = [...(joined.match(/^[\t ]+\S[^\n]*/gm) ?? []), ...ofRules];
  return lines.map((line) => filled(filled(line)).replace(/^[\s@+-]+/, "")).slice(0, maxNames);
}

/** Returns the texts of the package scripts that the words of a call name, and of the scripts that run before and after them. */
export function scriptTexts(packageText: string, words: readonly string[]): readonly string[] {
  try {
    const { scripts } = JSON.parse(packageText) as { scripts?: Record<string, unknown> };
    return Object.entries(scripts ?? {}).flatMap(([name, text]) => {
      const names = [name, name.replace(/^(?:pre|post)/, "")];
      const isNamed = words.some((word) =>
        names.some((one) => one === word || (one.length > 1 && isShort(word, one))),
      );
      return typeof text === "string" && isNamed ? [text] : [];
    });
  } catch {
    return [];
  }
}

/** Returns true if the word is `t` or `tst` and the name is `test`. Package managers accept these short forms. */
function isShort(word: string, name: string): boolean {
  return /^t(?:st)?$/.test(word) && /^t..t$/.test(name);
}

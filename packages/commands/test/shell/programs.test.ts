/** Only the table of programs names programs. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { allRows, knownProgram } from "../../src/shell/programs/table.ts";

const names = allRows().flatMap(([words]) => words.split(" "));
const packages = fileURLToPath(new URL("../../../", import.meta.url));

test("each program has one row", () => {
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.filter((name) => !/^[^\s/]+$/.test(name))).toEqual([]);
});

test("a version is the same program for what runs scripts, and for nothing else", () => {
  expect(knownProgram("python3.12")).toBe(knownProgram("python"));
  expect(knownProgram("mkfs.ext4")).toBe(knownProgram("mkfs"));
  expect(knownProgram("cat2")).toBeUndefined();
});

/** Signs, and words that are also names in the code: kinds, fields, types. */
const ownWords =
  ". : [ builtin command complete date diff exit export false file id link local open read readonly script sort task time timeout true type".split(
    " ",
  );

/** Names that stand elsewhere, by the beginning of a path, and why. */
const allowed: readonly (readonly [path: string, names: string, because: string])[] = [
  [
    "tools/src/tools/",
    "bash cat cmd exec find grep ls mkdir pwd rg rm rmdir sh tree unlink view",
    "tools and their aliases",
  ],
  ["tools/src/tool-sets.ts", "bash ls", "tools by their names"],
  ["commands/src/git/", "git", "it is started"],
  ["processes/src/children/environment.ts", "cat", "the pager of every program that is started"],
  [
    "workspace/src/git-files/",
    "cat git",
    "the program that shows texts as they are; the folder of git's settings",
  ],
  ["processes/src/children/edit-text.ts", "nano vi", "the editors for a person who has set none"],
  ["tools/src/tools/read-output.ts", "wait", "a parameter"],
  ["processes/src/search/ripgrep.ts", "rg", "it is started for searches"],
  ["processes/src/sandbox/", "bwrap setpriv socat", "they are started for the sandbox"],
  ["processes/src/sandbox/git-excludes.ts", "git", "the folder of its settings"],
  ["processes/src/sandbox/open-sandbox.ts", "watch", "a method"],
  ["processes/src/children/open-link.ts", "find", "a method"],
  ["tools/src/diagnostics/languages.ts", "go python", "languages"],
  ["commands/src/secrets/", "git", "the folder of its configuration"],
  ["workspace/src/files/read-ledger.ts", "base64", "an encoding"],
  ["commands/src/shell/git-calls/git-writes.ts", "set", "a word of git config"],
  ["commands/src/shell/read-only-git.ts", "ln v", "letters of options of git"],
  ["commands/src/shell/leading-folder.ts", "cd git", "the beginnings of commands that name a folder first"],
  ["commands/src/shell/locate.ts", "pwd", "what a path may begin with"],
  ["workspace/src/snapshots/ignore-rules.ts", "su", "the flags of an expression"],
  ["tools/src/resources/resources.ts", "jobs", "a part of the resources"],
  ["commands/src/shell/starts.ts", "exec", "what a value of an option begins with"],
  ["engine/src/arguments/example.ts", "npm test", "an example in a message"],
  ["engine/src/policy/check-rule.ts", "npm test", "an example in a message"],
];

const folders = ["workspace/src", "processes/src", "commands/src", "tools/src", "engine/src"];

describe("no other file names a program", () => {
  test.each(folders)("%s", (folder) => {
    const found = readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.startsWith(join("shell", "programs")))
      .flatMap((path) => {
        const named = programsNamedIn(readFileSync(join(packages, folder, path), "utf8"));
        return named
          .filter((name) => !isAllowed(`${folder}/${path}`, name))
          .map((name) => `${path}: ${name}`);
      });
    expect(found).toEqual([]);
  });

  test("each exception is needed", () => {
    const sources = folders.flatMap((folder) =>
      readdirSync(join(packages, folder), { recursive: true, encoding: "utf8" }).map(
        (path) => `${folder}/${path}`,
      ),
    );
    for (const [start, words] of allowed) {
      const files = sources.filter((path) => path.startsWith(start) && path.endsWith(".ts"));
      const named = files.flatMap((path) => programsNamedIn(readFileSync(join(packages, path), "utf8")));
      const unused = words.split(" ").filter((word) => !named.some((name) => name.split(" ").includes(word)));
      expect({ start, unused }).toEqual({ start, unused: [] });
    }
  });

  test("and the search for them finds what it must", () => {
    expect(programsNamedIn('if (name === "npm") return /^(?:vim|nvim)$/; const a = "sed awk";')).toEqual([
      "npm",
      "sed awk",
      "vim nvim",
    ]);
    expect(
      programsNamedIn('// "npm"\nconst words = "npm is a word"; const kind = /^(?:npm|other)$/;'),
    ).toEqual([]);
  });
});

function isAllowed(path: string, names: string): boolean {
  const known = allowed.flatMap(([start, words]) => (path.startsWith(start) ? words.split(" ") : []));
  return names.split(" ").every((name) => ownWords.includes(name) || known.includes(name));
}

/** Literals that are a program's name, lists of nothing but such names, and alternatives of a pattern. */
function programsNamedIn(source: string): readonly string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const literals = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`([^`$\\]*)`/g)].map(
    (one) => one[1] ?? one[2] ?? "",
  );
  const patterns = [...code.matchAll(/\(\?:([\w.|+-]+)\)/g)].map((one) =>
    (one[1] ?? "").replaceAll("|", " "),
  );
  return [...literals, ...patterns]
    .map((text) => text.trim().replace(/\s+/g, " "))
    .filter((text) => text !== "" && text.split(" ").every((word) => names.includes(word)));
}

/** The paths that rules close for commands. */
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { closedByRules, maxClosed } from "../../src/sandbox/closed-by-rules.ts";

const files = [
  "README.md",
  "src/lib/a.ts",
  "src/main.ts",
  "db/1.sql",
  "node_modules/x/y.sql",
  "deep/er/2.sql",
];

function folderWith(paths: readonly string[]): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lh-denied-")));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "x");
  }
  return folder;
}

/** Returns rules that deny paths below `start`, or with this ending. */
function rules(access: "read" | "write" | "both", start: string, ending = "") {
  const isThis = (one: string) => access === "both" || one === access;
  const isBelow = (path: string) => start === "" || path === start || path.startsWith(`${start}/`);
  return {
    closes: (path: string, one: "read" | "write") => isThis(one) && isBelow(path) && path.endsWith(ending),
    beginnings: [start === "" ? "." : start],
    mayHold: (folder: string, one: "read" | "write") =>
      isThis(one) && (isBelow(folder) || folder === "." || start.startsWith(`${folder}/`)),
  };
}

describe("a command finds closed", () => {
  const workspace = folderWith(files);
  symlinkSync("/", join(workspace, "link"));
  test.each<[string, ReturnType<typeof rules>, readonly string[], readonly string[]]>([
    ["a folder", rules("write", "src/lib"), [], ["src/lib"]],
    ["a file", rules("read", "README.md"), ["README.md"], []],
    ["a file for reading and writing", rules("both", "README.md"), ["README.md"], ["README.md"]],
    ["an absent file of a folder that exists", rules("write", "src/new.ts"), [], ["src/new.ts"]],
    ["no file of an absent folder", rules("write", "gone/new.ts"), [], []],
    ["no file below a file", rules("both", "README.md/private/keys"), [], []],
    ["the files of a pattern", rules("write", "", ".sql"), [], ["db/1.sql", "deep/er/2.sql"]],
    ["the whole workspace for writing", rules("write", ""), [], ["."]],
    [
      "all that the workspace has for reading",
      rules("read", ""),
      ["README.md", "db", "deep", "link", "node_modules", "src"],
      [],
    ],
    ["a folder of packages that is named", rules("write", "node_modules"), [], ["node_modules"]],
  ])("%s", async (_title, denying, unreadable, unwritable) => {
    const found = await closedByRules(workspace, denying);
    expect(found.unreadable.toSorted()).toEqual(unreadable);
    expect(found.unwritable.toSorted()).toEqual(unwritable);
  });

  test("nothing without rules", async () => {
    expect(await closedByRules(workspace, undefined)).toEqual({ unreadable: [], unwritable: [] });
  });
});

test("more paths than can be closed are an error", async () => {
  const many = folderWith(Array.from({ length: maxClosed + 1 }, (_, index) => `${index}.sql`));
  await expect(closedByRules(many, rules("write", "", ".sql"))).rejects.toThrow(/match 301 files/);
});

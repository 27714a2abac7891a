/** When rules deny a tracked file, its contents are not in what other programs than git may read. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallFacts, ClosedPlaces } from "@localharness/engine";
import { createClosedHistory } from "@localharness/processes/sandbox/closed-history";
import { historyNote } from "@localharness/processes/sandbox/history-note";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { isJudgedByRules } from "../../src/confined/is-judged.ts";

/** Rules that deny reading the folder. */
const denying = (folder: string): ClosedPlaces => ({
  closes: (path, access) => access === "read" && (path === folder || path.startsWith(`${folder}/`)),
  mayHold: () => true,
  beginnings: [folder],
});

function repository(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "private/deep"), { recursive: true });
  mkdirSync(join(folder, "own"));
  for (const path of ["private/deep/a", "b", "own/untracked"]) writeFileSync(join(folder, path), "x");
  execFileSync("git", ["init", "-q", "."], { cwd: folder });
  execFileSync("git", ["add", "private", "b"], { cwd: folder });
  return folder;
}

test("the objects are closed if a rule denies a tracked path, and stay so when it is tracked no more", () => {
  const folder = repository();
  const history = createClosedHistory(folder);
  expect(history.closedBy(undefined)).toEqual([]);
  expect(history.closedBy(denying("own"))).toEqual([]);
  expect(history.closedBy(denying("private"))).toEqual([".git/objects"]);
  execFileSync("git", ["rm", "-rq", "--cached", "private"], { cwd: folder });
  expect(history.closedBy(denying("private"))).toEqual([".git/objects"]);
  expect(history.closedBy(denying("own"))).toEqual([]);
});

test("a workspace in a repository is judged by its paths", () => {
  const folder = repository();
  expect(createClosedHistory(join(folder, "private")).closedBy(denying("deep"))).toEqual(["../.git/objects"]);
  expect(createClosedHistory(join(folder, "own")).closedBy(denying("private"))).toEqual([]);
});

const git = (folder: string, ...args: readonly string[]) => execFileSync("git", args, { cwd: folder });
const commit = ["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "-qm", "x"];

test.each<[what: string, change: (folder: string) => void]>([
  ["a split index", (folder) => git(folder, "update-index", "--split-index")],
  [
    "a sparse index",
    (folder) => {
      git(folder, ...commit);
      git(folder, "sparse-checkout", "set", "--cone", "--sparse-index", "own");
      expect(existsSync(join(folder, "private"))).toBe(false);
    },
  ],
  ["an index that cannot be read", (folder) => writeFileSync(join(folder, ".git/index"), "no index")],
])("%s hides no tracked path", (_what, change) => {
  const folder = repository();
  change(folder);
  expect(createClosedHistory(folder).closedBy(denying("private/deep"))).toEqual([".git/objects"]);
});

test("a change of the index that keeps its size and times is seen", () => {
  const folder = repository();
  const index = join(folder, ".git/index");
  const history = createClosedHistory(folder);
  utimesSync(index, 1, 1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 30);
  expect(history.closedBy(denying("hidden!"))).toEqual([]);
  writeFileSync(index, readFileSync(index, "latin1").replace("private", "hidden!"), "latin1");
  utimesSync(index, 1, 1);
  expect(history.closedBy(denying("hidden!"))).toEqual([".git/objects"]);
});

test("a repository in a subfolder has its own history", () => {
  const folder = repository();
  git(folder, "init", "-q", "own");
  git(join(folder, "own"), "add", "untracked");
  const history = createClosedHistory(folder, { nested: () => ["own/.git/config", "own/.git/hooks"] });
  expect(history.closedBy(denying("own"))).toEqual(["own/.git/objects"]);
  expect(history.closedBy(denying("private"))).toEqual([".git/objects"]);
});

test.each<[calls: readonly (readonly string[])[] | undefined, isJudged: boolean]>([
  [[["git", "log", "--oneline"]], true],
  [
    [
      ["git", "status"],
      ["head", "-5"],
    ],
    true,
  ],
  [
    [
      ["git", "status"],
      ["bash", "p.sh"],
    ],
    false,
  ],
  [[["python3", "x.py"]], false],
  [[["./git", "status"]], false],
  [undefined, false],
])("a command with the calls %j", (calls, isJudged) => {
  const facts = { command: { text: "x", ...(calls === undefined ? {} : { calls }) } } as CallFacts;
  expect(isJudgedByRules(facts)).toBe(isJudged);
});

test("a call that a wrapper starts counts, and so does an unclear command", () => {
  const command = { text: "x", calls: [["git", "status"]] };
  expect(isJudgedByRules({ command: { ...command, hidden: [["sh", "x"]] } } as CallFacts)).toBe(false);
  expect(isJudgedByRules({ command: { ...command, unclear: "an expansion" } } as CallFacts)).toBe(false);
});

test("git without objects is explained", () => {
  const closed = { byRules: ["private", ".git/objects"] };
  expect(historyNote(closed, "fatal: bad object HEAD")).toMatch(/closes the objects.*Call git directly/);
  expect(historyNote({ byRules: ["private"] }, "fatal: bad object HEAD")).toBeUndefined();
  expect(historyNote(closed, "all is well")).toBeUndefined();
});

/**
 * Commands that overwrite or remove files that their words do not name: by git, in a patch, in an archive. Each command also runs,
 * so that nothing changes that does not count as kept.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { treeOf } from "../../../../test/tree-of.ts";
import { type Bench, openBench } from "../bench.ts";

const isHere = (program: string) => {
  try {
    execFileSync("sh", ["-c", `command -v ${program}`]);
    return true;
  } catch {
    return false;
  }
};

const patch = `--- a/src/a.js\t2026-01-01 00:00:00
+++ b/src/a.js\t2026-01-02 00:00:00
@@ -1 +1 @@
-changed
+patched
--- /dev/null
+++ b/new.txt
@@ -0,0 +1 @@
+new
`;

/** Patches that are in the first commit. */
const committed: Readonly<Record<string, string | Buffer>> = {
  "index.patch": "Index:debug.log\n@@ -1 +1 @@\n-mine\n+patched\n",
  "indented.patch": patch.replaceAll("src/a.js", "debug.log").replace(/^/gm, "X"),
  "blank.patch": ["---", "+++"].map((sign) => `${sign} my notes.log 2026-01-01 00:00:00.0 +0000\n`).join(""),
  "pair.patch": "diff --git my notes.log my notes.log\ndeleted file mode 100644\n",
  "long.patch": `--- ${"a/".repeat(100_000)}a\n`,
  "latin.patch": Buffer.from("--- a/\xe4\n+++ b/\xe4\n", "latin1"),
  "behind.patch": "--- deps/x.js\n+++ deps/x.js\n@@ -1 +1 @@\n-x\n+patched\n",
};

const ends: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

let made: Promise<Bench> | undefined;

/** Returns a repository that stays as it is. */
function unchanged(): Promise<Bench> {
  made ??= createRepository();
  return made;
}

/** Returns a copy of the repository for a test that changes it. */
async function repository(): Promise<Bench> {
  const bench = await openBench();
  cpSync((await unchanged()).root, bench.root, { recursive: true, verbatimSymlinks: true });
  return bench;
}

async function createRepository(): Promise<Bench> {
  const bench = await openBench({}, (end) => void ends.push(end));
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...words], {
      cwd: bench.root,
      env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null" },
    });
  git("init", "-q", "-b", "main");
  bench.write(".gitignore", "*.log\nnode_modules/\n");
  for (const path of ["a.txt", "gone.txt", "src/a.js", "src/b.js", "sub/c.txt", "notes.txt"]) {
    bench.write(path, `${path}\n`);
  }
  for (const [path, content] of Object.entries(committed)) bench.write(path, content);
  bench.write("was.log", "committed by mistake\n");
  symlinkSync("node_modules", join(bench.root, "deps"));
  git("add", "-f", ".");
  git("commit", "-q", "-m", "one");
  git("rm", "-q", "--cached", "was.log");
  git("commit", "-q", "-m", "two");
  execFileSync("tar", ["cf", "a.tar", "-C", "src", "a.js"], { cwd: bench.root });
  bench.write("a.txt", "changed\n");
  bench.write("src/a.js", "changed\n");
  bench.write("new/made.txt", "mine\n");
  bench.write("draft.md", "mine\n");
  bench.write("was.log", "mine\n");
  bench.write("debug.log", "mine\n");
  bench.write("my notes.log", "mine\n");
  bench.write("node_modules/x.js", "x\n");
  for (const [name, text] of [
    ["fix.patch", patch],
    ["log.patch", patch.replaceAll("src/a.js", "debug.log").replace("-changed", "-mine")],
    ["quoted.patch", '--- "a/src/a.js"\n+++ "b/src/a.js"\n@@ -1 +1 @@\n-changed\n+patched\n'],
  ] as const) {
    bench.write(name, text);
  }
  mkdirSync(join(bench.root, "linked"));
  symlinkSync("..", join(bench.root, "linked/up"));
  return bench;
}

/** Returns the files that differ, or are gone. */
function lost(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.keys(before).filter((path) => !path.startsWith(".git/") && before[path] !== after[path]);
}

const heredoc = (command: string, end = "'EOF'") => `${command} <<${end}\n${patch}EOF\n`;

describe.skipIf(!isHere("git"))("what the command overwrites or removes is kept", () => {
  test.each([
    ["git checkout -- a.txt", ["a.txt"]],
    ["git checkout .", ["a.txt", "src/a.js"]],
    ["git checkout -q HEAD~1 -- src", ["src/a.js"]],
    ["git restore a.txt src", ["a.txt", "src/a.js"]],
    ["git restore --staged --worktree .", ["a.txt", "src/a.js"]],
    ["git restore -s HEAD~1 src/a.js", ["src/a.js"]],
    ["git reset --hard", ["a.txt", "src/a.js"]],
    ["git reset -q --hard HEAD", ["a.txt", "src/a.js"]],
    [
      "git clean -fd",
      [
        "a.tar",
        "draft.md",
        "fix.patch",
        "linked",
        "linked/up",
        "log.patch",
        "new",
        "new/made.txt",
        "quoted.patch",
      ],
    ],
    ["git clean -f draft.md", ["draft.md"]],
    [
      "git clean -fdq .",
      [
        "a.tar",
        "draft.md",
        "fix.patch",
        "linked",
        "linked/up",
        "log.patch",
        "new",
        "new/made.txt",
        "quoted.patch",
      ],
    ],
    ["git rm -rf src", ["src", "src/a.js", "src/b.js"]],
    ["git apply fix.patch", ["src/a.js"]],
    ["git apply < fix.patch", ["src/a.js"]],
    [heredoc("git apply"), ["src/a.js"]],
    ["ls && git apply fix.patch", ["src/a.js"]],
    ["tar xf a.tar -C src", ["src/a.js"]],
    ["tar -xf a.tar --directory=src", ["src/a.js"]],
    ["tar -C sub -xf a.tar", []],
    ["find src -type f -delete", ["src/a.js", "src/b.js"]],
    ...(isHere("patch")
      ? ([
          ["patch -p1 < fix.patch", ["src/a.js"]],
          ["patch -p1 -i fix.patch", ["src/a.js"]],
          [heredoc("patch -p1"), ["src/a.js"]],
        ] as const)
      : []),
  ] as const)("%s", async (command, files) => {
    const bench = await repository();
    const { kept } = (await bench.examine("bash", { command })).command ?? {};
    expect(kept).toBeDefined();
    const before = treeOf(bench.root);
    execFileSync("bash", ["-c", command], { cwd: bench.root });
    const changed = lost(before, treeOf(bench.root));
    expect(changed.map((path) => path.replace(/\/$/, "")).toSorted()).toEqual(files);
    const isKept = (path: string) =>
      kept?.some(
        (place) => path === place.path || (place.below === true && path.startsWith(`${place.path}/`)),
      ) === true;
    expect(files.filter((path) => before[path] !== undefined && !isKept(path))).toEqual([]);
  });
});

describe.skipIf(!isHere("git"))("the command asks as before", () => {
  test.each([
    ["an ignored file that was committed once", "git reset --hard HEAD~1"],
    ["an ignored file of a commit", "git checkout HEAD~1 -- ."],
    ["an ignored file of a commit", "git restore --source HEAD~1 was.log"],
    ["ignored files", "git clean -fdx"],
    ["ignored files", "git clean -fdX"],
    ["an ignored file in a patch", "git apply log.patch"],
    ["an ignored file in a patch", "patch -p1 < log.patch"],
    ["an ignored file after Index: without a blank", "patch -p0 < index.patch"],
    ["an ignored file in a patch that is indented by X", "patch -p1 < indented.patch"],
    ["an ignored file with a blank in its name", "git apply -p0 < blank.patch"],
    ["an ignored file with a blank in its name", "git apply -p0 < pair.patch"],
    ["a line that is too long for names", "patch -p1 < long.patch"],
    ["a name that is not valid UTF-8", "git apply latin.patch"],
    ["an ignored file behind a link", "patch -p0 < behind.patch"],
    [
      "a text that only looks like a quoted here-document",
      `patch -p1 <<EOF\n<<'X'\n--\\\n- debug.log\nEOF\n`,
    ],
    ["a quoted name in a patch", "git apply quoted.patch"],
    ["a patch from another program", "cat fix.patch | git apply"],
    [
      "a patch with words that the shell replaces",
      `${heredoc("git apply", "EOF").replace("+patched", "+$(echo x)")}`,
    ],
    ["a patch that the command makes", "cp log.patch fix.patch; git apply fix.patch"],
    ["rules that the command changes", "git clean -fd > .gitignore"],
    ["rules that the command changes", "rm .gitignore && git clean -fd"],
    ["another folder", "git --work-tree=sub checkout -- ."],
    ["another repository", "GIT_DIR=x git checkout -- ."],
    ["a pattern of git", "git checkout -- ':(top)'"],
    ["a pattern of git", "git checkout -- '*.txt'"],
    ["a word that the shell replaces", "git restore $FILE"],
    ["a word that the shell replaces", "git clean -f `cat list`"],
    ["a range", "git checkout HEAD~1..HEAD -- a.txt"],
    ["an option that is not known", "git checkout --merge -- a.txt"],
    ["a branch or a file", "git checkout a.txt"],
    ["an archive in a folder with ignored files", "tar xf a.tar"],
    ["an archive with paths from the root", "tar xPf a.tar -C src"],
    ["an archive in an unknown folder", "tar xfC a.tar src"],
    ["an archive with a list of names that may have options", "tar -xf a.tar -C src -T notes.txt"],
    ["an archive with options in a variable", "TAR_OPTIONS='-C ../node_modules' tar xf a.tar -C src"],
    ["a search that begins where a file says", "cd src && find -files0-from list -delete"],
    ["a search with its beginning behind an option", "cd src && find -D tree ../sub -delete"],
    ["an archive that may lead upwards", "unzip -: a.zip -d src"],
    ["an archive in a folder with a link", "tar xf a.tar -C linked"],
    ["what cannot be brought back", "git stash drop"],
    ["what cannot be brought back", "git branch -D other"],
    ["all below the workspace", "find . -name '*.log' -delete"],
  ])("%s: %s", async (_, command) => {
    const { kept, destroys } = (await (await unchanged()).examine("bash", { command })).command ?? {};
    expect(destroys).toBeDefined();
    expect(kept).toBeUndefined();
  });

  test.skipIf(process.platform === "darwin")("a file whose name is not valid UTF-8", async () => {
    const bench = await repository();
    writeFileSync(Buffer.from(`${bench.root}/sub/\xe4`, "latin1"), "mine\n");
    const { kept } = (await bench.examine("bash", { command: "git clean -f sub" })).command ?? {};
    expect(kept).toBeUndefined();
  });

  test("a repository with submodules", async () => {
    const bench = await repository();
    bench.write(".gitmodules", "");
    expect((await bench.examine("bash", { command: "git reset --hard" })).command?.kept).toBeUndefined();
  });
});

/** Checks that the fingerprint of a workspace changes exactly when something in it changed. */
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { workspaceMark } from "../../../src/commands/loop/workspace-mark.ts";

test("it follows files and commits, and nothing else", async () => {
  const root = await mkdtemp(join(tmpdir(), "lh-mark-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
      cwd: root,
      stdio: "ignore",
    });
  await writeFile(join(root, "a.txt"), "a");
  git("init", "-b", "main");
  const marks = [await workspaceMark(root)];
  const step = async (change: () => unknown, changes: boolean) => {
    await change();
    const mark = await workspaceMark(root);
    if (changes) expect(marks).not.toContain(mark);
    else expect(mark).toBe(marks.at(-1));
    marks.push(mark);
  };
  await step(() => undefined, false);
  await step(() => writeFile(join(root, "b.txt"), "b"), true);
  await step(() => utimes(join(root, "a.txt"), new Date(1e12), new Date(1e12)), true);
  await step(() => git("add", "-A"), false);
  await step(() => git("commit", "-m", "one"), true);
  await step(() => git("commit", "--allow-empty", "-m", "two"), true);
  await step(() => git("pack-refs", "--all"), false);
  await step(() => mkdir(join(root, "node_modules")), false);
  await step(() => writeFile(join(root, "node_modules", "x"), "x"), false);
  await step(() => rm(join(root, "b.txt")), true);
  expect(await workspaceMark(join(root, "nowhere"))).toMatch(/^[0-9a-f]{64}$/);
});

test.each<[string, (path: string) => unknown]>([
  ["a pipe", (path) => execFileSync("mkfifo", [path])],
  ["a device without an end", (path) => symlink("/dev/zero", path)],
])("%s in the place of a file of git is not read", async (_what, make) => {
  const root = await mkdtemp(join(tmpdir(), "lh-mark-"));
  await make(join(root, ".git"));
  expect(await workspaceMark(root)).toMatch(/^[0-9a-f]{64}$/);
});

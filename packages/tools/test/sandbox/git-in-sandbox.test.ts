/** Git in the real sandbox prints what it prints outside of it, although absent names of the repository are held. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openToolResources, type ToolResources } from "../../src/resources.ts";
import { sandboxState } from "../../src/sandbox/sandbox-status.ts";
import { bash } from "../../src/tools/bash.ts";

const state = sandboxState("auto");
const reason = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";
const identity = "-c user.name=t -c user.email=t@example.org";
const rebase = ".git/rebase-merge";
const todo = `${rebase}/git-rebase-todo`;
const planted = `mkdir ${rebase} && echo 'exec touch PWNED' > ${todo}`;

describe.skipIf(state.kind !== "on")(`git in the sandbox${reason}`, () => {
  let workspace = "";
  let resources: ToolResources;

  const outside = (command: string) =>
    execFileSync("bash", ["-c", command], {
      cwd: workspace,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  const inside = async (command: string) => {
    const context = { callId: "c", signal: AbortSignal.timeout(30_000), report: () => undefined };
    const ran = await bash(resources).execute({ command }, context);
    return ran.ok ? ran.data : ran.message;
  };
  const repositoryNames = () => readdirSync(join(workspace, ".git")).sort();

  beforeAll(async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-git-")));
    workspace = join(root, "ws");
    mkdirSync(workspace);
    outside(`git init -q -b main . && echo a > a.txt && git add . && git ${identity} commit -qm one`);
    outside(`echo b > a.txt && git ${identity} commit -qam two && git branch other HEAD~1`);
    resources = await openToolResources({
      workspace,
      stateFolder: join(root, "state"),
      sandbox: { mode: "require" },
    });
  });
  afterAll(() => resources.close());

  test.each([
    "git status",
    "git status --short --branch",
    "git stash list; git worktree list; git branch -vv; git submodule status",
    "git log --oneline --all; git fsck; git for-each-ref; git reflog",
    "git diff HEAD~1; git ls-files --others --exclude-standard",
  ])("%s", async (command) => {
    const expected = outside(`${command} 2>&1`);
    expect(await inside(command)).toBe(`${expected}exit code: 0`);
  });

  test("git is not asked about more while another command runs", async () => {
    const examined = () => bash(resources).examine?.({ command: "git status" }, AbortSignal.timeout(30_000));
    const before = await examined();
    const running = inside("until [ -e go ]; do sleep 0.1; done; rm go");
    await expect.poll(() => existsSync(join(workspace, ".git/commondir"))).toBe(true);
    expect((await examined())?.concerns).toEqual(before?.concerns);
    outside("touch go");
    await running;
  });

  test("commits, branches and merges work", async () => {
    const merged = await inside(
      `echo c > c.txt && git add c.txt && git ${identity} commit -qm three && git checkout -q other && git merge -q main && git checkout -q main && git log --oneline | wc -l`,
    );
    expect(merged).toContain("3\nexit code: 0");
  });

  test("a rebase without conflicts works", async () => {
    const rebased = await inside(`git ${identity} rebase --force-rebase HEAD~1`);
    expect(rebased).toContain("exit code: 0");
    expect(repositoryNames()).not.toContain("rebase-merge");
  });

  test("nothing is put into the repository while a command runs that a walk through its files cannot open", async () => {
    expect(await inside("find -L .git -type l; git status")).not.toContain("rebase");
  });

  test("a rebase that stops at a conflict is continued by later commands", async () => {
    outside("git checkout -q -b ours HEAD~1 && echo o > c.txt && git add c.txt");
    outside(`git ${identity} commit -qm ours`);
    expect(await inside(`git ${identity} rebase main`)).toContain("CONFLICT");
    expect(await inside("git status")).toContain("rebas");
    expect(
      await inside(`echo both > c.txt; git add c.txt; GIT_EDITOR=true git ${identity} rebase --continue`),
    ).toContain("exit code: 0");
    expect(outside("git status")).not.toContain("rebas");
    expect(outside("git show HEAD:c.txt")).toBe("both\n");
    outside("git checkout -q main");
  });

  test.each([
    ["a command", planted],
    ["a command, after spaces and in short", `mkdir ${rebase} && printf 'noop\n \tx touch PWNED' > ${todo}`],
    [
      "the name of a program",
      `mkdir ${rebase} && echo noop > ${todo} && echo ../../PWNED > ${rebase}/strategy`,
    ],
    [
      "commands in a linked file",
      `echo 'exec touch PWNED' > todo && mkdir ${rebase} && ln -s ../../todo ${todo}`,
    ],
    [
      "commands in a linked folder",
      `mkdir later && echo 'exec touch PWNED' > later/git-rebase-todo && ln -s ../later ${rebase}`,
    ],
    ["a line that is no command of git", `mkdir ${rebase} && echo PLANTED >> ${todo}`],
    ["a file in its place", `echo x > ${rebase}`],
  ])("a planted rebase with %s is moved aside when the command ends", async (_what, plant) => {
    const before = repositoryNames();
    await inside(plant);
    const moved = repositoryNames().filter((name) => !before.includes(name));
    expect(moved).toEqual([expect.stringMatching(/^rebase-merge\.moved-\d+$/)]);
    expect(outside("git status")).not.toContain("rebas");
    expect(() => outside("git rebase --continue")).toThrow("No rebase in progress");
    expect(existsSync(join(workspace, "PWNED"))).toBe(false);
  });

  test("a command cannot add commands to the rebase that an earlier command began", async () => {
    outside(`git checkout -q -b added HEAD~1 && echo q > c.txt && git add . && git ${identity} commit -qm q`);
    expect(await inside(`git ${identity} rebase main`)).toContain("CONFLICT");
    await inside(`echo 'exec touch PWNED' >> ${todo}`);
    expect(existsSync(join(workspace, todo))).toBe(false);
    expect(() => outside("git rebase --continue")).toThrow("No rebase in progress");
    outside("git checkout -qf main");
  });

  test("a rebase of the person stays, is told, and cannot be changed", async () => {
    outside("git checkout -q -b clash HEAD~1 && echo z > c.txt && git add c.txt");
    outside(`git ${identity} commit -qm clash; git ${identity} rebase main >/dev/null 2>&1 || true`);
    const before = readFileSync(join(workspace, ".git/rebase-merge/done"), "utf8");
    expect(await inside("git status")).toContain("rebas");
    expect(await inside(`echo 'exec touch PWNED' >> ${todo}`)).not.toContain("exit code: 0");
    expect(lstatSync(join(workspace, ".git/rebase-merge")).isDirectory()).toBe(true);
    expect(readFileSync(join(workspace, ".git/rebase-merge/done"), "utf8")).toBe(before);
    const head = outside("git rev-parse HEAD");
    for (const end of ["abort", "continue", "skip"])
      expect(await inside(`git add -A; git rebase --${end}`)).toMatch(
        /^Nothing ran: .*begun outside of the sandbox/,
      );
    expect(outside("git rev-parse HEAD")).toBe(head);
    outside("git rebase --abort");
  });
});

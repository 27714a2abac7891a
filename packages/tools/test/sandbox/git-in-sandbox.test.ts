import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Confined, openConfined } from "./open-confined.ts";

const state = sandboxState("auto");
const reason = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";
const identity = "-c user.name=t -c user.email=t@example.org";
const rebase = ".git/rebase-merge";
const todo = `${rebase}/git-rebase-todo`;
const planted = `mkdir ${rebase} && echo 'exec touch PWNED' > ${todo}`;

describe.skipIf(state.kind !== "on")(`git in the sandbox${reason}`, () => {
  let place: Confined;
  const repositoryNames = () => readdirSync(place.at(".git")).sort();
  beforeAll(async () => {
    place = await openConfined([
      `git init -q -b main . && echo a > a.txt && git add . && git ${identity} commit -qm one`,
      `echo b > a.txt && git ${identity} commit -qam two && git branch other HEAD~1`,
    ]);
  });
  afterAll(() => place.close());

  test.each([
    "git status",
    "git status --short --branch",
    "git stash list; git worktree list; git branch -vv; git submodule status",
    "git log --oneline --all; git fsck; git for-each-ref; git reflog",
    "git diff HEAD~1; git ls-files --others --exclude-standard",
  ])("%s", async (command) => {
    const expected = place.outside(`${command} 2>&1`);
    expect(await place.inside(command)).toBe(`${expected}exit code: 0`);
  });

  test("git is not asked about more while another command runs", async () => {
    const examined = () => place.bench.examine("bash", { command: "git status" });
    const before = await examined();
    const running = place.inside("until [ -e go ]; do sleep 0.1; done; rm go");
    await expect.poll(() => existsSync(place.at(".git/commondir"))).toBe(true);
    expect((await examined()).concerns).toEqual(before.concerns);
    place.outside("touch go");
    await running;
  });

  test("commits, branches and merges work", async () => {
    const merged = await place.inside(
      `echo c > c.txt && git add c.txt && git ${identity} commit -qm three && git checkout -q other && git merge -q main && git checkout -q main && git log --oneline | wc -l`,
    );
    expect(merged).toContain("3\nexit code: 0");
  });

  test("a rebase without conflicts works", async () => {
    const rebased = await place.inside(`git ${identity} rebase --force-rebase HEAD~1`);
    expect(rebased).toContain("exit code: 0");
    expect(repositoryNames()).not.toContain("rebase-merge");
  });

  test("nothing is put into the repository while a command runs that a walk through its files cannot open", async () => {
    expect(await place.inside("find -L .git -type l; git status")).not.toContain("rebase");
  });

  test("a rebase that stops at a conflict is continued by later commands", async () => {
    place.outside("git checkout -q -b ours HEAD~1 && echo o > c.txt && git add c.txt");
    place.outside(`git ${identity} commit -qm ours`);
    expect(await place.inside(`git ${identity} rebase main`)).toContain("CONFLICT");
    expect(await place.inside("git status")).toContain("rebas");
    expect(
      await place.inside(
        `echo both > c.txt; git add c.txt; GIT_EDITOR=true git ${identity} rebase --continue`,
      ),
    ).toContain("exit code: 0");
    expect(place.outside("git status")).not.toContain("rebas");
    expect(place.outside("git show HEAD:c.txt")).toBe("both\n");
    place.outside("git checkout -q main");
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
    await place.inside(plant);
    const moved = repositoryNames().filter((name) => !before.includes(name));
    expect(moved).toEqual([expect.stringMatching(/^rebase-merge\.moved-\d+$/)]);
    expect(place.outside("git status")).not.toContain("rebas");
    expect(() => place.outside("git rebase --continue")).toThrow("No rebase in progress");
    expect(existsSync(place.at("PWNED"))).toBe(false);
  });

  test("a command cannot add commands to the rebase that an earlier command began", async () => {
    place.outside(
      `git checkout -q -b added HEAD~1 && echo q > c.txt && git add . && git ${identity} commit -qm q`,
    );
    expect(await place.inside(`git ${identity} rebase main`)).toContain("CONFLICT");
    await place.inside(`echo 'exec touch PWNED' >> ${todo}`);
    expect(existsSync(place.at(todo))).toBe(false);
    expect(() => place.outside("git rebase --continue")).toThrow("No rebase in progress");
    place.outside("git checkout -qf main");
  });

  test("a rebase of the person stays, is told, and cannot be changed", async () => {
    place.outside("git checkout -q -b clash HEAD~1 && echo z > c.txt && git add c.txt");
    place.outside(`git ${identity} commit -qm clash; git ${identity} rebase main >/dev/null 2>&1 || true`);
    const before = readFileSync(place.at(".git/rebase-merge/done"), "utf8");
    expect(await place.inside("git status")).toContain("rebas");
    expect(await place.inside(`echo 'exec touch PWNED' >> ${todo}`)).not.toContain("exit code: 0");
    expect(lstatSync(place.at(".git/rebase-merge")).isDirectory()).toBe(true);
    expect(readFileSync(place.at(".git/rebase-merge/done"), "utf8")).toBe(before);
    const head = place.outside("git rev-parse HEAD");
    for (const end of ["abort", "continue", "skip"])
      expect(await place.inside(`git add -A; git rebase --${end}`)).toMatch(
        /^Nothing ran: .*begun outside of the sandbox/,
      );
    expect(place.outside("git rev-parse HEAD")).toBe(head);
    place.outside("git rebase --abort");
  });
});

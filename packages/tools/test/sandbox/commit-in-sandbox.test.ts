/** Commits in the real sandbox, in workspaces whose repository is elsewhere, and tries to plant programs there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { describe, expect, test } from "vitest";
import { identity, repository, run } from "../../../processes/test/sandbox/make-repository.ts";
import { openBench, said } from "../bench.ts";

describe.skipIf(sandboxState("auto").kind !== "on")("a command in the sandbox", () => {
  const commit = `echo n > n.txt && git add . && git ${identity} commit -qm new && git log --oneline | wc -l`;
  const attack = [
    "hooks/post-commit",
    "config",
    "worktrees/linked/commondir",
    "worktrees/linked/gitdir",
    "worktrees/linked/config.worktree",
    "worktrees/new",
    "info/attributes",
    "objects/info/alternates",
    "HEAD",
  ];

  test.each([
    ["a linked worktree", "linked", "."],
    ["a folder of a repository", "main/part", "."],
    ["a worktree inside of the workspace", "main", "trees/inner"],
  ])("commits in %s, and changes nothing that runs programs", async (_, workspace, cwd) => {
    const place = repository();
    const bench = await openBench({ workspace: join(place.folder, workspace), sandbox: { mode: "require" } });
    expect(said(await bench.call("bash", { command: commit, cwd }))).toMatch(/^2\nexit code: 0/m);
    expect(
      said(
        await bench.call("bash", { command: "git branch x && git branch -d x && git status --short", cwd }),
      ),
    ).toContain("exit code: 0");
    const before = run(place.git, "cat config worktrees/*/gitdir HEAD; ls hooks worktrees");
    const paths = attack.filter((path) => path !== "HEAD" || workspace === "linked");
    const command = paths.map((path) => `echo x > ${join(place.git, path)}`).join("; ");
    expect(said(await bench.call("bash", { command, cwd }))).not.toContain("exit code: 0");
    expect(run(place.git, "cat config worktrees/*/gitdir HEAD; ls hooks worktrees")).toBe(before);
    expect(existsSync(join(place.git, "config.worktree"))).toBe(false);
  });
});

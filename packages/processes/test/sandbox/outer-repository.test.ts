/** Checks which folders of repositories commands may write, on real repositories. */
import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { closedParts } from "../../src/sandbox/closed-names.ts";
import { nestedNames } from "../../src/sandbox/nested-names.ts";
import { innerWorktrees, outerRepository } from "../../src/sandbox/outer-repository.ts";
import { identity, repository, run } from "./make-repository.ts";

describe("the repository of a workspace", () => {
  test("that is a linked worktree may be written, except for what runs programs and the main checkout", () => {
    const { linked, git } = repository();
    const own = join(git, "worktrees/linked");
    const { writable, readOnly, reopened } = outerRepository(linked);
    expect(writable).toEqual([git]);
    expect(readOnly).toEqual([...closedParts(git), join(git, "HEAD"), join(git, "index")]);
    for (const part of ["config", "hooks", "info", "modules", "worktrees", "objects/info/alternates"]) {
      expect(readOnly).toContain(join(git, part));
    }
    expect(reopened).toEqual([{ path: own, readOnly: expect.arrayContaining([join(own, "gitdir")]) }]);
    for (const part of ["commondir", "config.worktree", "rebase-merge"]) {
      expect(reopened[0]?.readOnly).toContain(join(own, part));
    }
  });

  test("above it, or above a folder of a worktree, may be written", () => {
    const { main, linked, git } = repository();
    expect(outerRepository(join(main, "part/deep"))).toEqual({
      writable: [git],
      readOnly: closedParts(git),
      reopened: [],
    });
    expect(outerRepository(join(linked, "part")).reopened).toHaveLength(1);
  });

  test("of a submodule may be written, if it names the workspace", () => {
    const { folder, main } = repository();
    const top = join(folder, "top");
    mkdirSync(top);
    run(top, `git init -q && git ${identity} submodule --quiet add ${main} libs/sub`);
    const sub = join(top, "libs/sub");
    const own = join(top, ".git/modules/libs/sub");
    expect(outerRepository(sub)).toEqual({ writable: [own], readOnly: closedParts(own), reopened: [] });
    mkdirSync(join(top, "other"));
    writeFileSync(join(top, "other/.git"), readFileSync(join(sub, ".git"), "utf8").replace("../../", "../"));
    expect(outerRepository(join(top, "other")).writable).toEqual([]);
  });

  test("is not opened if it is the workspace's own folder, or there is none", () => {
    const { main } = repository();
    expect(outerRepository(main).writable).toEqual([]);
    expect(outerRepository(temporaryFolder()).writable).toEqual([]);
  });

  test("is not opened if it holds the home folder", () => {
    const folder = temporaryFolder();
    run(folder, "git init -q && mkdir -p home/project");
    vi.stubEnv("HOME", join(folder, "home"));
    try {
      expect(outerRepository(join(folder, "home/project")).writable).toEqual([]);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe("a .git file opens nothing", () => {
  test.each<[string, (place: ReturnType<typeof repository>, workspace: string) => string]>([
    ["that names a folder with keys", ({ folder }) => join(folder, "keys")],
    ["that names the folder of another repository", ({ git }) => git],
    ["that names the worktree of another folder", ({ git }) => join(git, "worktrees/linked")],
    [
      "that names a copy whose repository is another one",
      ({ git }, workspace) => {
        run(workspace, `cp -r ${join(git, "worktrees/linked")} own && echo ${git} > own/commondir`);
        writeFileSync(join(workspace, "own/gitdir"), `${join(workspace, ".git")}\n`);
        return join(workspace, "own");
      },
    ],
    [
      "that names a worktree by a link",
      ({ folder, git }) => {
        symlinkSync(join(git, "worktrees/linked"), join(folder, "link"));
        return join(folder, "link");
      },
    ],
    ["that names nothing", ({ folder }) => join(folder, "none")],
  ])("%s", (_, target) => {
    const place = repository();
    const workspace = join(place.folder, "ws");
    mkdirSync(workspace);
    mkdirSync(join(place.folder, "keys"));
    writeFileSync(join(workspace, ".git"), `gitdir: ${target(place, workspace)}\n`);
    expect(outerRepository(workspace)).toEqual({ writable: [], readOnly: [], reopened: [] });
  });

  test("of a worktree that was moved, or in which a part is a link", () => {
    const { folder, linked, git } = repository();
    renameSync(linked, join(folder, "moved"));
    expect(outerRepository(join(folder, "moved")).writable).toEqual([]);
    renameSync(join(folder, "moved"), linked);
    expect(outerRepository(linked).writable).toEqual([git]);
    symlinkSync(folder, join(git, "logs/refs/out"));
    expect(outerRepository(linked).writable).toEqual([]);
  });
});

test("worktrees in subfolders are found", () => {
  const { main, git } = repository();
  const found = innerWorktrees(main, nestedNames(main).names);
  expect(found.map(({ path }) => path)).toEqual([join(git, "worktrees/inner")]);
});

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Confined, openConfined } from "./open-confined.ts";

const state = sandboxState("auto");
const reason = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";
const identity = "-c user.name=t -c user.email=t@example.org";

describe.skipIf(state.kind !== "on")(`a repository that a command may write${reason}`, () => {
  let place: Confined;
  const at = (path: string) => place.at(path);
  beforeAll(async () => {
    place = await openConfined([
      `git init -q -b main . && echo a > a.txt && git add . && git ${identity} commit -qm one`,
      `git init -q --bare depot && mkdir -p team/hooks && echo mine > team/hooks/pre-push`,
      `git config core.hooksPath team/hooks && git config include.path ../team/more`,
    ]);
  });
  afterAll(() => place.close());

  test.each([
    ".git/remotes/origin",
    ".git/branches/origin",
    "depot/config",
    "depot/hooks/post-receive",
    "team/hooks/pre-push",
    "team/hooks/commit-msg",
    "team/more",
  ])("cannot be given %s", async (path) => {
    const before = existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined;
    await place.inside(
      `mkdir -p "$(dirname ${path})"; echo PLANTED >> ${path}; echo PLANTED > p; mv -f p ${path}; rm -f p`,
    );
    expect(existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined).toBe(before);
  });

  test("loses parts that git does not use for its work, and keeps the others", async () => {
    await place.inside(
      `mkdir .git/svn && echo x > .git/svn/config && echo x > .git/extra && echo x > .git/MERGE_MSG`,
    );
    const names = readdirSync(at(".git"));
    expect(names).toEqual(expect.arrayContaining(["MERGE_MSG", "svn.moved-1", "extra.moved-1"]));
    expect(names).not.toContain("svn");
    place.outside("rm -rf .git/*.moved-1 .git/MERGE_MSG");
  });

  test("may have several commits picked, with a conflict", async () => {
    const names =
      "export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@x GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@x GIT_EDITOR=true";
    const commits = "for n in 1 2; do echo $n > a.txt; git commit -qam $n; done; git switch -qc other main~2";
    const sequencer = () => readdirSync(at(".git")).filter((name) => name.startsWith("sequencer"));
    expect(await place.inside(`${names}; ${commits}; git cherry-pick main main~1`)).toMatch(/CONFLICT/);
    expect(sequencer()).toEqual(["sequencer"]);
    await place.inside(
      `${names}; git checkout -q --theirs a.txt; git add a.txt; git cherry-pick --continue; git cherry-pick --quit`,
    );
    expect(sequencer()).toEqual([]);
    place.outside("git reset -q --hard; git switch -q main");
  });

  test("cannot get a staged repository that starts programs, at any depth or later", async () => {
    const make = (path: string) =>
      `git init -q ${path}; git -C ${path} ${identity} commit -q --allow-empty -m x`;
    await place.inside(
      `${make("good")}; ${make("evil")}; git -C evil config core.fsmonitor "touch $PWD/RAN; false"; git add good evil`,
    );
    expect([existsSync(at("good/.git/config")), existsSync(at("evil/.git"))]).toEqual([true, false]);
    await place.inside(
      `${make("good/deep")}; git -C good/deep config core.fsmonitor "touch $PWD/RAN; false"; git -C good add deep`,
    );
    expect(existsSync(at("good/deep/.git"))).toBe(false);
    await place.inside(`${make("later")}; git add later`);
    expect(existsSync(at("later/.git"))).toBe(true);
    await place.inside(
      `printf '#!/bin/sh\\ntouch RAN\\n' > later/.git/hooks/post-index-change; chmod +x later/.git/hooks/*`,
    );
    expect(existsSync(at("later/.git"))).toBe(false);
    place.outside("git status");
    expect(existsSync(at("RAN"))).toBe(false);
  });
});

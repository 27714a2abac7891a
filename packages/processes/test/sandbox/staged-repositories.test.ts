/** A repository that a command has staged starts no program when git looks at the one that staged it, and no other is touched. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { asOtherUser } from "../../../workspace/test/as-other-user.ts";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createStagedRepositories } from "../../src/sandbox/staged-repositories.ts";

const evil = (path: string) =>
  `git init -q ${path} && git -C ${path} commit -q --allow-empty -m x && git -C ${path} config core.fsmonitor false-program`;

function prepared() {
  const folder = temporaryFolder();
  const run = (script: string) =>
    execFileSync("bash", ["-ec", script], {
      cwd: folder,
      env: { PATH: process.env["PATH"], HOME: folder, ...author },
      stdio: ["ignore", "pipe", "ignore"],
    });
  run("git init -q top && mkdir top/ws && echo a > top/a && git -C top add a && git -C top commit -qm a");
  return { folder, run, at: (path: string) => join(folder, path) };
}

const author = Object.fromEntries(
  ["AUTHOR", "COMMITTER"].flatMap((who) => [
    [`GIT_${who}_NAME`, "t"],
    [`GIT_${who}_EMAIL`, "t@example.org"],
  ]),
);

const replaced = `echo x > evil && git add evil && git update-index --split-index && rm evil && ${evil("evil")} && git add evil`;

test.each<[what: string, workspace: string, script: string]>([
  ["the repository of the workspace", "top", `cd top && ${evil("evil")} && git add evil`],
  ["the repository around the workspace", "top/ws", `cd top/ws && ${evil("evil")} && git add evil`],
  ["a split index", "top", `cd top && ${evil("evil")} && git add evil && git update-index --split-index`],
  ["the part of a split index that replaces a file", "top", `cd top && ${replaced}`],
  [
    "a repository below the workspace that was there",
    "top",
    `cd top/inner && ${evil("evil")} && git add evil`,
  ],
  ["a linked worktree that was there", "top", `cd top/tree && ${evil("evil")} && git add evil`],
  [
    "an index after an entry that leads in a circle",
    "top",
    `cd top && ${evil("aa/y")} && ${evil("evil")} && git add aa/y evil && rm -rf aa && ln -s aa aa`,
  ],
])("in %s", (_what, workspace, script) => {
  const { run, at } = prepared();
  run("git init -q top/inner && git -C top worktree add -q tree");
  const closed = ["top/.git/commondir", "top/inner/.git/commondir", "top/tree/.git"].map(at);
  const settle = createStagedRepositories(at(workspace)).watch(closed);
  run(script);
  const home = /cd (\S+)/.exec(script)?.[1] ?? "";
  expect(existsSync(at(`${home}/evil/.git/config`))).toBe(true);
  settle();
  expect(existsSync(at(`${home}/evil/.git`))).toBe(false);
  expect(existsSync(at("top/inner/.git")) && existsSync(at("top/tree/.git"))).toBe(true);
});

test("a change of the index that keeps its size and times is seen", () => {
  const { run, at } = prepared();
  const staged = createStagedRepositories(at("top"));
  run(
    `cd top && git init -q good && git -C good commit -q --allow-empty -m x && ${evil("evil")} && git add good`,
  );
  run("touch -d 2020-01-01 top/.git/index && sleep 0.03");
  staged.watch([])();
  expect(existsSync(at("top/evil/.git"))).toBe(true);
  const index = readFileSync(at("top/.git/index"), "latin1");
  writeFileSync(at("top/.git/index"), index.replace("good", "evil"), "latin1");
  run("touch -d 2020-01-01 top/.git/index");
  staged.watch([])();
  expect(existsSync(at("top/evil/.git"))).toBe(false);
});

test("a repository elsewhere stays as it is, whatever the index says", () => {
  const { run, at } = prepared();
  run(evil("other"));
  run(
    "cd top && git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),link/other && ln -s .. link",
  );
  createStagedRepositories(at("top")).watch([])();
  run(`cd top && ${evil("outside")} && git add outside`);
  createStagedRepositories(at("top/ws")).watch([])();
  expect(existsSync(at("other/.git")) && existsSync(at("top/outside/.git"))).toBe(true);
});

test("one that starts nothing, or whose configuration was there, stays", () => {
  const { run, at } = prepared();
  run(
    `cd top && git init -q good && git -C good commit -q --allow-empty -m x && ${evil("old")} && git add good old`,
  );
  createStagedRepositories(at("top")).watch([at("top/old/.git/config")])();
  expect(existsSync(at("top/good/.git")) && existsSync(at("top/old/.git"))).toBe(true);
});

test("a folder that the command cannot write stays as it is, and another one does not", () => {
  const { run, at } = prepared();
  run(
    `cd top && ${evil("old")} && git add old && cd .. && git init -q lib && cd lib && ${evil("new")} && git add new`,
  );
  createStagedRepositories(at("top"), [at("lib")]).watch([at("top"), at("lib/.git/commondir")])();
  expect(existsSync(at("top/old/.git"))).toBe(true);
  expect(existsSync(at("lib/new/.git"))).toBe(false);
  writeFileSync(at("top/.git/index"), "no index");
  createStagedRepositories(at("top")).watch([at("top")])();
});

test.each([
  ["read-only", "top/evil", 0o555],
  ["that cannot be listed", "top/evil", 0o300],
  ["whose configuration cannot be read", "top/evil/.git/config", 0],
])("a folder %s keeps none", (_what, closed, mode) => {
  const { folder, run, at } = prepared();
  run(`cd top && ${evil("evil")} && git add evil`);
  asOtherUser([folder], () => {
    chmodSync(at(closed), mode);
    createStagedRepositories(at("top")).watch([])();
  });
  expect(existsSync(at("top/evil/.git"))).toBe(false);
});

test("an index that cannot be read is said", () => {
  const { at } = prepared();
  writeFileSync(at("top/.git/index"), "no index");
  expect(() => createStagedRepositories(at("top")).watch([])()).toThrow(/index .* cannot be read/);
  rmSync(at("top/.git/index"));
  mkdirSync(at("top/.git/index"));
  expect(() => createStagedRepositories(at("top")).watch([])()).toThrow(/index .* cannot be read/);
});

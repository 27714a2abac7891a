import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createFindRepository } from "../../src/git-files/repository-config.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const findRepository = (folder: string) => createFindRepository()(folder);
const git = (folder: string, ...args: string[]) => execFileSync("git", args, { cwd: folder });

function repository(...settings: readonly (readonly [string, string])[]): string {
  const folder = temporaryFolder();
  git(folder, "init", "-q", ".");
  for (const [key, value] of settings) {
    git(folder, "config", key, value);
  }
  return folder;
}

test("a new repository configures nothing to start", () => {
  const folder = repository(
    ["user.name", "n"],
    ["remote.origin.url", "https://example.org/x"],
    ["core.fsmonitor", "true"],
  );
  mkdirSync(join(folder, "a/b"), { recursive: true });
  expect(findRepository(join(folder, "a/b"))).toMatchObject({ always: [], forChanges: [], aliases: [] });
});

test.each<[string, string]>([
  ["core.fsmonitor", "touch x"],
  ["core.pager", "touch x"],
  ["pager.log", "touch x"],
  ["diff.external", "touch x"],
  ["diff.Ab.c.textconv", "touch x"],
  ["diff.x.command", "touch x"],
  ["filter.x.clean", "touch x"],
  ["filter.x.smudge", "touch x"],
  ["filter.x.process", "touch x"],
  ["gpg.program", "./x"],
  ["gpg.ssh.program", "./x"],
  ["include.path", "../evil"],
  ["includeIf.gitdir:/.path", "../evil"],
  ["core.worktree", "/tmp"],
  ["interactive.diffFilter", "touch x"],
])("%s counts for every command", (key, value) => {
  expect(findRepository(repository([key, value]))?.always).toHaveLength(1);
});

test.each<[string, string]>([
  ["core.hooksPath", ".husky"],
  ["core.editor", "touch x"],
  ["core.sshCommand", "touch x"],
  ["core.askPass", "./x"],
  ["sequence.editor", "touch x"],
  ["credential.helper", "!touch x"],
  ["credential.https://x.helper", "x"],
  ["merge.x.driver", "touch x"],
  ["mergetool.x.cmd", "touch x"],
  ["remote.origin.uploadpack", "touch x"],
  ["remote.origin.url", "ext::sh -c touch% x"],
  ["submodule.x.update", "!touch x"],
  ["url.ext::x.insteadOf", "https://"],
  ["trailer.x.command", "touch x"],
  ["unknown.section.program", "x"],
  ["unknown.key", "!touch x"],
])("%s counts for commands that change something", (key, value) => {
  expect(findRepository(repository([key, value]))).toMatchObject({
    always: [],
    forChanges: [expect.anything()],
  });
});

test("hooks count, samples do not", () => {
  const folder = repository();
  mkdirSync(join(folder, ".git/hooks"), { recursive: true });
  writeFileSync(join(folder, ".git/hooks/pre-commit.sample"), "");
  expect(findRepository(folder)?.forChanges).toEqual([]);
  writeFileSync(join(folder, ".git/hooks/pre-commit"), "");
  expect(findRepository(folder)?.forChanges).toEqual(["hooks/pre-commit"]);
});

test("names aliases", () => {
  expect(findRepository(repository(["alias.st", "!touch x"]))?.aliases).toEqual(["st"]);
});

test("a linked worktree is read in its repository; a file that names any other is odd", () => {
  const folder = repository(["diff.external", "x"]);
  git(folder, "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "--allow-empty", "-m", "x");
  git(folder, "worktree", "add", "-q", "tree");
  expect(findRepository(join(folder, "tree"))).toMatchObject({ always: ["diff.external"] });
  expect(findRepository(join(folder, "tree"))?.odd).toBeUndefined();
  const other = temporaryFolder();
  writeFileSync(join(other, ".git"), `gitdir: ${folder}/.git\n`);
  expect(findRepository(other)?.odd).toContain("elsewhere");
  const linked = temporaryFolder();
  symlinkSync(join(folder, ".git"), join(linked, ".git"));
  expect(findRepository(linked)?.odd).toContain("link");
});

test("configuration that cannot be read or understood is odd", () => {
  const folder = repository();
  writeFileSync(join(folder, ".git/config"), "[core\nfoo");
  expect(findRepository(folder)?.odd).toBeDefined();
  renameSync(join(folder, ".git/config"), join(folder, ".git/old"));
  mkdirSync(join(folder, ".git/config"));
  chmodSync(join(folder, ".git/config"), 0o755);
  expect(findRepository(folder)?.odd).toBeDefined();
});

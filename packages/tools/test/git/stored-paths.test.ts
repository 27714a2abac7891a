/** Checks in a real repository that secrets which git would take in are asked about. */
import { spawnSync } from "node:child_process";
import { afterAll, expect, test } from "vitest";
import type { AtEnd } from "../../../workspace/test/temporary-folder.ts";
import { type Bench, openBench } from "../bench.ts";

const ends: (() => Promise<void> | void)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

let opened: Promise<Bench> | undefined;

/** Returns the one repository of the tests that only examine commands. */
function repository(): Promise<Bench> {
  opened ??= openRepository((end) => void ends.push(end));
  return opened;
}

/** Opens a repository with a commit, an ignored and two untracked secrets, and a tracked one that has changed. */
async function openRepository(atEnd?: AtEnd): Promise<Bench> {
  const bench = await openBench({}, atEnd);
  const script = `
    git init -q -b main . && git config user.name n && git config user.email e
    mkdir src keys; echo one > src/a.ts; echo X=1 > .env.tracked; echo .env > .gitignore
    git add . && git commit -qm one
    echo two > src/a.ts; echo new > src/b.ts; echo X=2 > .env.tracked; echo X=3 > .env; echo k > keys/id_rsa; echo k > deploy.pem`;
  const { status, stderr } = spawnSync("bash", ["-ec", script], { cwd: bench.root, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return bench;
}

const secretsOf = (concerns: readonly { readonly id: string; readonly reason: string }[] = []) =>
  concerns
    .filter(({ id }) => id.startsWith("secret:"))
    .map(({ reason }) => /^"([^"]+)"/.exec(reason)?.[1])
    .sort();

const all = [".env.tracked", "deploy.pem", "keys/id_rsa"];

test.each<[string, readonly string[]]>([
  ["git add -A", all],
  ["git add . && git commit -m x", all],
  ["git -c core.x=y add --all", all],
  ["git stage -A", all],
  ["git add -A -f", [".env", ...all]],
  ["git add --force .env", [".env"]],
  ["git add keys", ["keys/id_rsa"]],
  ["git add 'deploy.*'", ["deploy.pem"]],
  ["git add --pathspec-from-file=list", all],
  ["F=deploy.pem; git add $F", all],
  ["cd keys && git add .", ["keys/id_rsa"]],
  ["git commit -am x", [".env.tracked"]],
  ["git commit -qm x --all", [".env.tracked"]],
  ["git -C src add ../deploy.pem", ["deploy.pem"]],
  ["git -C src add ..", all],
  ["git -C src add -A ..", all],
  ["git -C keys -C ../src add a.ts", []],
  ["git -C keys add .", ["keys/id_rsa"]],
  ["git -C keys add . && git status", all],
  ["git -C keys add id_rsa", ["keys/id_rsa"]],
  ["cd src && git add ..", all],
  ["cd src; git add -A ..", all],
  ["cd src && git add a.ts", []],
  ["cd $(dirname src/a.ts) && git add a.ts", all],
  ["git --work-tree=. add src", all],
  ["git add ':(top)deploy.pem'", all],
  ["git add ../..", all],
  ["git update-index --add deploy.pem", ["deploy.pem"]],
  ["git update-index --add .env", [".env"]],
  ["git ls-files -o | git update-index --add --stdin", [".env", ...all]],
  ["git update-index --refresh", []],
  ["git update-index -q --really-refresh", []],
  ["git commit .env.tracked -m x", [".env.tracked"]],
  ["git commit -m x -- .env.tracked", [".env.tracked"]],
  ["git add src", []],
  ["git add src/a.ts && git commit -m 'the key id_rsa'", []],
  ["git commit -m x", []],
  ["git status", []],
])("%s", async (command, secrets) => {
  const bench = await repository();
  const { concerns } = await bench.examine("bash", { command });
  expect(secretsOf(concerns)).toEqual([...secrets].sort());
});

test("a commit of a secret that is staged already", async () => {
  const bench = await openRepository();
  spawnSync("git", ["add", "deploy.pem"], { cwd: bench.root });
  const { concerns } = await bench.examine("bash", { command: "git commit -m x" });
  expect(secretsOf(concerns)).toEqual(["deploy.pem"]);
  expect(concerns?.[0]?.reason).toContain("would become part of the repository");
});

test("a secret that is removed is not stored", async () => {
  const bench = await openRepository();
  spawnSync("rm", [".env.tracked", "deploy.pem", "keys/id_rsa"], { cwd: bench.root });
  const { concerns } = await bench.examine("bash", { command: "git add -A" });
  expect(secretsOf(concerns)).toEqual([]);
});

test("git_commit_all names the files and asks about secrets", async () => {
  const bench = await openRepository();
  const { concerns, effect } = await bench.examine("git_commit_all", { message: "x" });
  expect(secretsOf(concerns)).toEqual([...all].sort());
  expect(effect).toBe(
    'commits every change of the workspace: ".env.tracked", "src/a.ts", "deploy.pem", "keys/id_rsa", "src/b.ts"',
  );
});

test("git_commit_all names up to 100 files", async () => {
  const bench = await openRepository();
  const names = Array.from({ length: 105 }, (_, index) => `src/many-${index}.ts`);
  await Promise.all(names.map(async (name) => await bench.write(name, "x")));
  const { effect } = await bench.examine("git_commit_all", { message: "x" });
  expect(effect?.match(/src\/many-/g)?.length).toBeGreaterThan(90);
  expect(effect).toMatch(/, 10 more$/);
});

/** Opens a folder with repositories below it: one that the folder's repository ignores, and one as a submodule has it. */
async function withNested(isRepository: boolean, atEnd?: AtEnd): Promise<Bench> {
  const bench = await openBench({}, atEnd);
  const script = `
    mkdir -p app/src lib
    git init -q app; echo .env.local > app/.gitignore; echo X=1 > app/.env; echo X=1 > app/.env.local; echo k > app/src/id_rsa; echo a > app/src/a.ts
    git init -q --separate-git-dir gitdir lib; echo k > lib/deploy.pem
    ${isRepository ? "git init -q -b main .; echo app > .gitignore" : "echo X=1 > .env; echo .env.local > .gitignore; echo X=1 > .env.local"}`;
  const { status, stderr } = spawnSync("bash", ["-ec", script], { cwd: bench.root, encoding: "utf8" });
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  return bench;
}

const benches = new Map<boolean, Promise<Bench>>();

test.each<[boolean, string, readonly string[]]>([
  [true, "cd app && git add -A", ["app/.env", "app/src/id_rsa"]],
  [true, "git -C app add .", ["app/.env", "app/src/id_rsa"]],
  [true, "git -C app add -f .", ["app/.env", "app/.env.local", "app/src/id_rsa"]],
  [true, "git -C app add src", ["app/src/id_rsa"]],
  [true, "git -C app add src/a.ts", []],
  [true, "git -C app/src add .", ["app/.env", "app/src/id_rsa"]],
  [true, "cd app; git commit -am x", ["app/.env", "app/src/id_rsa"]],
  [true, "git -C app status", []],
  [true, "git -C lib add .", ["lib/deploy.pem"]],
  [true, "git submodule foreach git add -A", ["app/.env", "app/src/id_rsa", "lib/deploy.pem"]],
  [true, "git add .", []],
  [false, "git init && git add .", [".env", "app/.env", "app/src/id_rsa", "lib/deploy.pem"]],
  [false, "git add app/src", ["app/src/id_rsa"]],
  [false, "git -C app add src", ["app/src/id_rsa"]],
])("with a repository in the root %s: %s", async (isRepository, command, secrets) => {
  const opening = benches.get(isRepository) ?? withNested(isRepository, (end) => void ends.push(end));
  benches.set(isRepository, opening);
  const { concerns } = await (await opening).examine("bash", { command });
  const known = new Set(secrets);
  expect(secretsOf(concerns).filter((path) => !known.has(path ?? ""))).toEqual([]);
  // There is one concern for all secrets of a kind.
  const kinds = (paths: readonly (string | undefined)[]) =>
    new Set(paths.map((path) => path?.slice(path.lastIndexOf("/") + 1).slice(0, 4)));
  expect(kinds(secretsOf(concerns))).toEqual(kinds(secrets));
});

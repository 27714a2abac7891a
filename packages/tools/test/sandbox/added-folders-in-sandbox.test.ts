/** A command in the sandbox writes in folders that the person added, as in the workspace, and in no other folder. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { ClosedPlaces } from "@localharness/engine";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { describe, expect, onTestFinished, test } from "vitest";
import { openBench, said } from "../bench.ts";

/** Opens a workspace in a home folder of its own, with folders beside it. */
async function openAtHome() {
  const bench = await openBench({ sandbox: { mode: "require" } });
  const home = join(bench.root, "..");
  const before = process.env["HOME"];
  process.env["HOME"] = home;
  onTestFinished(() => {
    process.env["HOME"] = before;
  });
  const [lib, reading, other] = [join(home, "lib"), join(home, "reading"), join(home, "other")];
  for (const folder of [lib, reading, other]) mkdirSync(join(folder, "sub/.vscode"), { recursive: true });
  execFileSync("git", ["init", "-q", lib]);
  for (const folder of [lib, reading, other]) writeFileSync(join(folder, "text"), "old\n");
  bench.resources.added.add({ root: lib, trusted: true, writable: true });
  bench.resources.added.add({ root: reading, trusted: false, writable: false });
  return { ...bench, home, lib, reading, other };
}

describe.skipIf(sandboxState("auto").kind !== "on")("a command", () => {
  test("writes what it may write, and nothing that programs obey", async () => {
    const { call, lib, reading, other } = await openAtHome();
    const targets = [
      ...["new", "sub/new", ".envrc", ".git/hooks/pre-push", ".git/config", "sub/.vscode/tasks.json"].map(
        (name) => join(lib, name),
      ),
      ...[reading, other].map((folder) => join(folder, "new")),
    ];
    const text = targets.map((path) => `echo x >> '${path}' && echo 'wrote ${path}'`).join("; ");
    const output = said(await call("bash", { command: `${text}; cat ${reading}/text; cat ${other}/text` }));
    const wrote = [...output.matchAll(/^wrote (.*)$/gm)].map((match) => match[1]);
    expect(wrote).toEqual([join(lib, "new"), join(lib, "sub/new")]);
    expect(output).toMatch(/^old$/m);
    expect(output.match(/^old$/gm)).toHaveLength(1);
    expect(readdirSync(lib).toSorted()).toEqual([".git", "new", "sub", "text"]);
    expect(readFileSync(join(lib, ".git/config"), "utf8")).not.toMatch(/^x$/m);
    expect(readdirSync(reading).toSorted()).toEqual(["sub", "text"]);
  });

  test("leaves the submodules of a folder that is only read", async () => {
    const { call, reading } = await openAtHome();
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-C", reading, ...args], {
        stdio: "ignore",
      });
    git("init", "-q");
    git("init", "-q", "module");
    git("-C", "module", "commit", "-q", "--allow-empty", "-m", "x");
    git("-C", "module", "config", "core.fsmonitor", "a-program");
    git("add", "module");
    expect(said(await call("bash", { command: "echo ran" }))).toBe("ran\nexit code: 0");
    expect(readdirSync(join(reading, "module"))).toEqual([".git"]);
  });

  test("commits in the repository of the folder, without the placeholders", async () => {
    const { call, lib } = await openAtHome();
    const output = await call("bash", {
      command:
        "git add -A && git -c user.name=a -c user.email=a@b commit -qm x && git status --porcelain && git log --oneline | wc -l",
      cwd: lib,
    });
    expect(said(output)).toBe("1\nexit code: 0");
    const tracked = execFileSync("git", ["-C", lib, "ls-files"], { encoding: "utf8" });
    expect(tracked).toBe("text\n");
  });

  test("sees the workspace from a folder, and a folder that was added or taken away meanwhile", async () => {
    const { call, lib, other, resources, root } = await openAtHome();
    const reach = async () =>
      said(
        await call("bash", {
          command: `cd ${root} && (echo x > ${lib}/l; echo x > ${other}/o) 2>/dev/null; ls ${other}/o`,
        }),
      );
    expect(await reach()).toMatch(/exit code: 2/);
    resources.added.add({ root: other, trusted: true, writable: true });
    resources.added.remove(lib);
    expect(await reach()).toMatch(/\/other\/o\nexit code: 0/);
    resources.added.remove(other);
    expect(await reach()).toMatch(/exit code: 2/);
  });

  test("does not write where a link leads that has taken the place of a folder", async () => {
    const { call, lib, other } = await openAtHome();
    renameSync(lib, `${lib}-moved`);
    symlinkSync(other, lib);
    await call("bash", { command: `echo x > ${lib}/planted; echo x > ${other}/planted` });
    expect(existsSync(join(other, "planted"))).toBe(false);
  });

  test.each<[string, readonly string[], boolean]>([
    ["reads nothing that a rule denies", ["read", "write"], false],
    ["writes nothing that a rule denies to write", ["write"], true],
  ])("%s", async (_, closed, isRead) => {
    const { call, lib } = await openAtHome();
    writeFileSync(join(lib, "sub/data.sql"), "old\n");
    const closedPlaces: ClosedPlaces = {
      closes: (path, access) => path.endsWith(".sql") && closed.includes(access),
      mayHold: (_path, access) => closed.includes(access),
      beginnings: [".", lib],
    };
    const command = `cat ${lib}/sub/data.sql 2>/dev/null; echo x > ${lib}/sub/data.sql`;
    expect(/^old$/m.test(said(await call("bash", { command }, { closedPlaces })))).toBe(isRead);
    expect(readFileSync(join(lib, "sub/data.sql"), "utf8")).toBe("old\n");
  });
});

import { linkSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { type Bench, openBench, said } from "../bench.ts";

/** Creates a workspace with links of every kind. */
async function prepared(): Promise<Bench> {
  const bench = await openBench();
  bench.write("src/a.txt", "a\n");
  bench.write(".env", "KEY=value\n");
  bench.write(".git/config", "[core]\n");
  bench.write("tree/sub/.vscode/settings.json", "{}");
  bench.write("plain/sub/b.txt", "b\n");
  bench.write("built/node_modules/x/.npmrc", "");
  symlinkSync("src", join(bench.root, "alias"));
  symlinkSync(".git", join(bench.root, "g"));
  symlinkSync(".env", join(bench.root, "settings.txt"));
  symlinkSync(bench.outside, join(bench.root, "out"));
  symlinkSync("nowhere", join(bench.root, "dead"));
  return bench;
}

const text = { content: "x" };
const edit = { old_string: "a", new_string: "b" };

describe("before a call", () => {
  test.each<[string, JsonObject, readonly string[], readonly string[]]>([
    ["read_file", { path: "src/a.txt" }, ["read src/a.txt"], []],
    ["read_file", { path: "./src//a.txt" }, ["read src/a.txt"], []],
    ["read_file", { path: "alias/a.txt" }, ["read src/a.txt", "read alias/a.txt"], []],
    ["read_file", { path: "missing.txt" }, ["read missing.txt"], []],
    ["read_file", { path: ".env" }, ["read .env"], ["ask secret:.env"]],
    ["read_file", { path: "settings.txt" }, ["read .env", "read settings.txt"], ["ask secret:.env"]],
    ["read_file", { path: ".git/config" }, ["read .git/config"], []],
    ["read_file", { path: "out/secret.txt" }, [], ["deny path"]],
    ["read_file", { path: "../outside/secret.txt" }, [], ["deny path"]],
    ["read_file", { path: "/etc/passwd" }, [], ["deny path"]],
    ["read_file", { path: "a\0b" }, [], ["deny path"]],
    ["ls", {}, ["read ."], []],
    ["ls", { path: ".env" }, ["read .env"], []],
    ["get_file_tree", { path: "alias" }, ["read src", "read alias"], []],
    ["grep_search", { pattern: "a", path: "src" }, ["read src"], []],
    ["grep_search", { pattern: "a", path: ".env" }, ["read .env"], ["ask secret:.env"]],
    ["git_diff", { path: ".env" }, ["read .env"], ["ask secret:.env"]],
    ["git_log", { path: ".env" }, ["read .env"], []],
    ["write_file", { path: "new/x.txt", ...text }, ["write new/x.txt"], []],
    ["write_file", { path: "alias/x.txt", ...text }, ["write src/x.txt", "write alias/x.txt"], []],
    ["write_file", { path: ".npmrc", ...text }, ["write .npmrc"], ["ask protected:.npmrc"]],
    [
      "write_file",
      { path: "g/hooks/pre-commit", ...text },
      ["write .git/hooks/pre-commit", "write g/hooks/pre-commit"],
      ["ask protected:.git"],
    ],
    ["write_file", { path: ".GIT\u200c/x", ...text }, ["write .GIT\u200c/x"], ["ask protected:.git"]],
    ["write_file", { path: "dead", ...text }, [], ["deny path"]],
    ["write_file", { path: "out/new.txt", ...text }, [], ["deny path"]],
    ["write_file", { path: "sub/.env", ...text }, ["write sub/.env"], ["ask written-secret:.env"]],
    ["edit_file", { path: "src/a.txt", ...edit }, ["read src/a.txt", "write src/a.txt"], []],
    ["edit_file", { path: ".env", ...edit }, ["read .env", "write .env"], ["ask secret:.env", "ask lost"]],
    ["mkdir", { path: ".husky/x" }, ["write .husky/x"], ["ask protected:.husky"]],
    ["remove", { path: "alias" }, ["write alias"], []],
    ["remove", { path: ".git", recursive: true }, ["write .git below"], ["ask protected:.git"]],
    ["remove", { path: "g" }, ["write g"], []],
    ["remove", { path: "tree", recursive: true }, ["write tree below"], ["ask protected:.vscode"]],
    ["remove", { path: "plain", recursive: true }, ["write plain below"], []],
    ["remove", { path: "built", recursive: true }, ["write built below"], ["ask lost"]],
    ["remove", { path: ".", recursive: true }, [], ["deny path"]],
  ])("%s %j touches %j and raises %j", async (tool, args, paths, concerns) => {
    const bench = await prepared();
    const facts = await bench.examine(tool, args);
    const touched = facts.paths?.map(
      (one) => `${one.access} ${one.path}${one.below === true ? " below" : ""}`,
    );
    expect(touched).toEqual(paths);
    expect(facts.concerns?.map((one) => `${one.decision} ${one.id}`)).toEqual(concerns);
  });

  test("returns how much would be written, and a fingerprint of the examined state", async () => {
    const bench = await prepared();
    const before = await bench.examine("write_file", { path: "src/a.txt", content: "é" });
    expect(before.writesBytes).toBe(2);
    bench.write("src/a.txt", "changed\n");
    expect((await bench.examine("write_file", { path: "src/a.txt", content: "é" })).seen).not.toBe(
      before.seen,
    );
  });
});

describe("a path that was replaced since is refused", () => {
  const swap = (bench: Bench) => {
    renameSync(join(bench.root, "src"), join(bench.root, "src.was"));
    symlinkSync(".git", join(bench.root, "src"));
  };

  test.each<[string, JsonObject]>([
    ["read_file", { path: "src/config" }],
    ["write_file", { path: "src/config", ...text }],
    ["write_file", { path: "src/hooks/new", ...text }],
    ["edit_file", { path: "src/config", old_string: "core", new_string: "x" }],
    ["insert_lines", { path: "src/config", line_start: 1, new_content: "x" }],
    ["replace_lines", { path: "src/config", line_start: 1, line_end: 1, new_content: "x" }],
    ["mkdir", { path: "src/made/below" }],
    ["remove", { path: "src/config" }],
    ["ls", { path: "src" }],
    ["get_file_tree", { path: "src" }],
    ["grep_search", { pattern: "core", path: "src" }],
    ["grep_search", { pattern: "core", path: "src/config" }],
  ])("by %s %j", async (tool, args) => {
    const bench = await prepared();
    bench.write("src/config", "[core]\n");
    const examined = await bench.examine(tool, args);
    swap(bench);
    const output = await bench.call(tool, args, { examined });
    expect(output).toMatchObject({ ok: false, errorType: "permission_denied" });
    expect(said(output)).toContain("leads to");
    expect(bench.text(".git/config")).toBe("[core]\n");
    expect(bench.resources.workspace.locate(".git/made")).toMatchObject({ value: { stats: undefined } });
    expect(bench.resources.workspace.locate(".git/hooks")).toMatchObject({ value: { stats: undefined } });
  });

  test("and what is still there is not", async () => {
    const bench = await prepared();
    for (const [tool, args] of [
      ["read_file", { path: "alias/a.txt" }],
      ["write_file", { path: "alias/deep/er/x.txt", ...text }],
      ["edit_file", { path: "alias/a.txt", ...edit }],
      ["mkdir", { path: "made/on/the/way" }],
      ["mkdir", { path: "made/on" }],
      ["ls", {}],
      ["grep_search", { pattern: "b" }],
      ["get_file_tree", {}],
      ["remove", { path: "made", recursive: true }],
    ] as const) {
      const examined = await bench.examine(tool, args);
      expect(await bench.call(tool, args, { examined })).toMatchObject({ ok: true });
    }
  });
});

describe("private folders", () => {
  test("are closed even inside the workspace and before they exist", async () => {
    const bench = await openBench();
    const inner = await openBench({
      workspace: bench.root,
      stateFolder: join(bench.root, "home/state"),
      privateFolders: [join(bench.root, "home/config")],
    });
    bench.write("home/state/x", "1");
    symlinkSync("home", join(bench.root, "h"));
    for (const [tool, args] of [
      ["read_file", { path: "home/state/x" }],
      ["read_file", { path: "h/state/x" }],
      ["write_file", { path: "home/config/policies.json", ...text }],
      ["write_file", { path: "h/config/policies.json", ...text }],
      ["mkdir", { path: "home/config" }],
      ["remove", { path: "home/state", recursive: true }],
      ["ls", { path: "home/state" }],
    ] as const) {
      expect(await inner.call(tool, args)).toMatchObject({ ok: false, errorType: "permission_denied" });
      const { concerns } = await inner.examine(tool, args);
      expect(concerns).toMatchObject([{ id: "path", decision: "deny" }]);
    }
    const above = await inner.call("remove", { path: "home", recursive: true });
    expect(above).toMatchObject({ ok: false, errorType: "permission_denied" });
    expect(said(await inner.call("grep_search", { pattern: "1" }))).toContain("No matches");
    expect(bench.text("home/state/x")).toBe("1");
    expect(bench.resources.workspace.locate("home/config")).toMatchObject({ value: { stats: undefined } });
    rmSync(join(bench.root, "home"), { recursive: true });
    mkdirSync(join(bench.root, "home"));
    expect(await inner.call("write_file", { path: "home/y.txt", ...text })).toMatchObject({ ok: true });
  });
});

test("writing to a hard link leaves the other name unchanged", async () => {
  const bench = await openBench();
  linkSync(join(bench.outside, "secret.txt"), join(bench.root, "hl.txt"));
  expect(await bench.call("write_file", { path: "hl.txt", ...text })).toMatchObject({ ok: true });
  expect(bench.text("../outside/secret.txt")).toBe("OUTSIDE\n");
});

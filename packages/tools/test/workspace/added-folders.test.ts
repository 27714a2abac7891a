/** Tools use a folder that the person added as they use the workspace, and nothing beside it. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { folderToAdd } from "@localharness/workspace/paths/folder-to-add";
import type { AddedFolder } from "@localharness/workspace/paths/workspace";
import { describe, expect, test } from "vitest";
import { type Bench, openBench, said } from "../bench.ts";

const doors =
  process.platform === "linux" ? (["descriptor", "real-path"] as const) : (["real-path"] as const);

/** Opens a workspace with an added folder `lib`, beside folders that were not added. */
async function openWithLib(
  how: Partial<AddedFolder> = {},
  door: "descriptor" | "real-path" = doors[0],
): Promise<Bench & { readonly lib: string }> {
  const bench = await openBench({ workspaceOptions: { door } });
  const lib = join(bench.root, "../lib");
  for (const name of ["src", ".vscode"]) mkdirSync(join(lib, name), { recursive: true });
  mkdirSync(join(bench.root, "../lib-other"));
  writeFileSync(join(bench.root, "../lib-other/secret.txt"), "OTHER\n");
  writeFileSync(join(lib, "src/a.ts"), "export const a = 1;\n");
  writeFileSync(join(lib, ".env"), "TOKEN=abcdef123456\n");
  symlinkSync(join(bench.root, "../outside"), join(lib, "out"));
  symlinkSync(join(bench.root, "../outside/secret.txt"), join(lib, "out.txt"));
  symlinkSync(lib, join(bench.root, "to-lib"));
  bench.resources.added.add({ root: lib, trusted: true, writable: true, ...how });
  return { ...bench, lib };
}

describe.each(doors)("the %s door", (door) => {
  test.each<[string, JsonObject, RegExp]>([
    ["read_file", { path: "LIB/src/a.ts" }, /1: export const a/],
    ["read_file", { path: "LIB//src/./a.ts" }, /1: export const a/],
    ["ls", { path: "LIB" }, /src\//],
    ["ls", { path: "LIB/" }, /src\//],
    ["grep_search", { query: "export const", path: "LIB" }, /LIB\/src\/a\.ts/],
    ["get_file_tree", { path: "LIB/src" }, /LIB\/src\/a\.ts/],
    ["write_file", { path: "LIB/new/b.ts", content: "b\n" }, /wrote to LIB\/new\/b\.ts/],
    ["edit_file", { path: "LIB/src/a.ts", old_content: "a = 1", new_content: "a = 2" }, /LIB\/src\/a\.ts/],
    ["mkdir", { path: "LIB/made/here" }, /LIB\/made\/here/],
    ["remove", { path: "LIB/src/a.ts" }, /LIB\/src\/a\.ts/],
  ])("%s %j reaches the added folder", async (tool, args, expected) => {
    const { call, lib } = await openWithLib({}, door);
    const output = await call(tool, inLib(args, lib));
    expect(said(output).replaceAll(lib, "LIB")).toMatch(expected);
    expect(output.ok).toBe(true);
  });

  test.each<[string, string]>([
    ["a link to outside", "LIB/out.txt"],
    ["a folder that is a link to outside", "LIB/out/secret.txt"],
    ["upwards by ..", "LIB/../outside/secret.txt"],
    ["upwards by .. after a link", "LIB/out/../outside/secret.txt"],
    ["upwards through a folder in it", "LIB/src/../../outside/secret.txt"],
    ["a folder that begins with its name", "LIB-other/secret.txt"],
    ["a relative path", "../lib/src/a.ts"],
    ["a link of the workspace to it", "to-lib/src/a.ts"],
    ["the folder above it", "LIB/.."],
    ["the system", "/etc/hostname"],
    ["the home folder", `${homedir()}/.bashrc`],
  ])("no tool uses %s: %s", async (_, path) => {
    const { call, examine, lib, outside } = await openWithLib({}, door);
    const args = inLib({ path, content: "x", old_content: "O", new_content: "x" }, lib);
    for (const tool of ["read_file", "write_file", "ls", "remove", "edit_file"]) {
      const facts = await examine(tool, args);
      expect([tool, facts.concerns?.some(({ decision }) => decision === "deny")]).toEqual([
        tool,
        // The entry of a link itself is in the folder, and may be removed.
        !(tool === "remove" && path === "LIB/out.txt"),
      ]);
    }
    const read = await call("read_file", args);
    expect(said(read)).not.toContain("OUTSIDE");
    expect(read.ok).toBe(false);
    expect((await call("write_file", args)).ok).toBe(false);
    expect(readFileSync(join(outside, "secret.txt"), "utf8")).toBe("OUTSIDE\n");
  });
});

function inLib(args: JsonObject, lib: string): JsonObject {
  const entries = Object.entries(args).map(([name, value]) => [
    name,
    typeof value === "string" ? value.replace("LIB", lib) : value,
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

test.each<[string, string, JsonObject, Partial<AddedFolder>, object]>([
  ["a source", "read_file", { path: "LIB/src/a.ts" }, {}, { looks: true, concerns: [] }],
  [
    "a source without trust",
    "read_file",
    { path: "LIB/src/a.ts" },
    { trusted: false },
    { looks: true, concerns: [], trusted: false },
  ],
  ["secrets", "read_file", { path: "LIB/.env" }, {}, { concerns: ["secret:.env ask"] }],
  [
    "protected names",
    "write_file",
    { path: "LIB/.vscode/tasks.json" },
    {},
    { concerns: ["protected:.vscode ask"] },
  ],
  ["hooks", "write_file", { path: "LIB/.git/hooks/pre-commit" }, {}, { concerns: ["protected:.git ask"] }],
  ["an edit", "write_file", { path: "LIB/src/a.ts" }, {}, { concerns: [] }],
  [
    "an edit without trust",
    "write_file",
    { path: "LIB/src/a.ts" },
    { writable: false, trusted: false },
    { concerns: ["untrusted-folder deny"], trusted: false },
  ],
  [
    "a removal without trust",
    "remove",
    { path: "LIB/src" },
    { writable: false, trusted: false },
    { concerns: ["untrusted-folder deny"], trusted: false },
  ],
])("the facts about %s", async (_, tool, args, how, expected) => {
  const { examine, lib } = await openWithLib(how);
  const facts = await examine(tool, inLib({ content: "x", ...args }, lib));
  expect({
    ...(facts.looks === true ? { looks: true } : {}),
    concerns: facts.concerns?.map(({ id, decision }) => `${id} ${decision}`),
    ...(facts.paths?.some(({ added }) => added?.trusted === false) ? { trusted: false } : {}),
  }).toEqual(expected);
  expect(facts.paths?.every(({ added }) => added?.root === lib)).toBe(true);
});

test("an answer about edits of the workspace does not cover the added folder", async () => {
  const { examine, lib } = await openWithLib();
  const kinds = await Promise.all(
    ["a.ts", join(lib, "a.ts")].map(
      async (path) => (await examine("write_file", { path, content: "x" })).kind,
    ),
  );
  expect(kinds[0]?.scope).toBe('{"edits":"text"}');
  expect(kinds[1]?.scope).toBe(JSON.stringify({ edits: "text", folders: [lib] }));
  expect(kinds[1]?.covers).toContain(`every edit of ordinary files of ${lib},`);
});

/** What mode `auto` needs to know of a command, in a word: it stays, or why it does not. */
test.each<[string, JsonObject, string]>([
  ["a look by an absolute path", { command: "cat LIB/src/a.ts" }, "looks"],
  ["a look by a relative path", { command: "cat ../lib/src/a.ts" }, "looks"],
  ["a look in the folder", { command: "cat src/a.ts", cwd: "LIB" }, "looks"],
  ["a look after cd", { command: "cd LIB && cat src/a.ts" }, "looks"],
  ["a look at secrets", { command: "cat LIB/.env" }, "secret:.env ask"],
  ["a look at secrets after cd", { command: "cd LIB && cat .env" }, "secret:.env ask"],
  ["a pattern", { command: "cat LIB/src/*.ts" }, "looks"],
  ["a change", { command: "touch LIB/src/new.ts" }, "inside"],
  ["a protected name", { command: "echo x > LIB/.envrc" }, "protected:.envrc ask"],
  ["a protected name after cd", { command: "cd LIB && echo x > .envrc" }, "protected:.envrc ask"],
  ["a link to outside", { command: "cat LIB/out.txt" }, "outside"],
  ["a link to outside after cd", { command: "cd LIB && cat out/secret.txt" }, "outside"],
  ["a folder that begins with its name", { command: "cat LIB-other/secret.txt" }, "outside"],
  ["upwards", { command: "cat LIB/../outside/secret.txt" }, "outside"],
  ["upwards after cd", { command: "cd LIB && cat ../outside/secret.txt" }, "outside"],
])("the facts about a command: %s", async (_, args, expected) => {
  const { examine, lib } = await openWithLib();
  const facts = await examine("bash", inLib(args, lib));
  const asking = facts.concerns?.map(({ id, decision }) => `${id} ${decision}`) ?? [];
  const outside = facts.paths?.some(({ path, added }) => path.startsWith("/") && added === undefined);
  const found = outside ? "outside" : (asking[0] ?? (facts.looks === true ? "looks" : "inside"));
  expect(found).toBe(expected);
});

test("a command in a folder without trust says so, also without naming it", async () => {
  const { examine, lib } = await openWithLib({ trusted: false, writable: false });
  const facts = await examine("bash", { command: "ls", cwd: lib });
  expect(facts.paths?.some(({ added }) => added?.trusted === false)).toBe(true);
  expect(facts.kind).toBeUndefined();
  const change = await examine("bash", { command: `touch ${lib}/x` });
  expect(change.concerns?.map(({ id }) => id)).toContain("untrusted-folder");
});

test("a folder that is gone, and one that was taken away, are no folders of the session", async () => {
  const { call, lib, resources } = await openWithLib();
  renameSync(lib, `${lib}-moved`);
  expect((await call("read_file", { path: join(lib, "src/a.ts") })).ok).toBe(doors[0] === "descriptor");
  rmSync(`${lib}-moved`, { recursive: true });
  expect(await call("read_file", { path: join(lib, "src/a.ts") })).toMatchObject({
    ok: false,
    errorType: "not_found",
  });
  expect(resources.added.remove(lib)).toBe(true);
  expect(await call("read_file", { path: join(lib, "src/a.ts") })).toMatchObject({
    errorType: "validation_failed",
  });
  expect(resources.added.remove(lib)).toBe(false);
});

test("secrets of the added folder are hidden in the output of commands", async () => {
  const { call, lib } = await openWithLib();
  const output = await call("bash", { command: "echo abcdef1''23456" });
  expect(said(output)).toContain(`[value of TOKEN in ${lib}/.env: hidden]`);
});

test("git add of secrets in a repository of the added folder asks", async () => {
  const { examine, lib } = await openWithLib();
  execFileSync("git", ["init", "-q", lib]);
  const ids = async (args: JsonObject) => (await examine("bash", args)).concerns?.map(({ id }) => id);
  expect(await ids({ command: "git add .", cwd: lib })).toContain("secret:.env");
  expect(await ids({ command: `cd ${lib} && git add -A` })).toContain("secret:.env");
  expect(await ids({ command: "git status", cwd: lib })).toEqual([]);
});

describe("a folder to add", () => {
  test.each<[string, string, RegExp | string]>([
    ["a folder", "LIB", "LIB"],
    ["a relative path", "../lib", "LIB"],
    ["a link, of which the real path counts", "link", "LIB"],
    ["nothing", "LIB/none", /there is no folder .*none/],
    ["a file", "LIB/file", /is not a folder/],
    ["the workspace", ".", /it is the workspace/],
    ["a folder in the workspace", "inner", /in the workspace, and can be used already/],
    ["the folder above the workspace", "..", /contains the workspace/],
    ["the home folder", "~", /holds your home folder/],
    ["the folder above the home folder", "~/..", /home folder|the system/],
    ["everything", "/", /home folder|the system/],
    ["a folder of the system", "/etc", /a folder of the system/],
    ["the processes", "/proc/1/cwd/..", /is not added|cannot be opened/],
    ["an added folder", "MORE", /was added already/],
    ["a folder in an added one", "MORE/sub", /is in .*more, which was added already/],
    ["a folder around an added one", "AROUND", /contains .*more, which was added already/],
    ["the folder of permissions", "STATE/x", /belongs to this program itself/],
    ["a folder of keys", "LIB/.ssh", /usually holds passwords or keys/],
    ["a folder in one that the sandbox hides", "HIDDEN/x", /is in .*hidden, which no command may read/],
    ["a folder with the sandbox", "TOOLS", /has .*bwrap, with which the sandbox is made/],
  ])("%s: %s", async (_, path, expected) => {
    const { root, state } = await openBench();
    const around = join(root, "../around");
    const [lib, more, tools] = [join(root, "../lib"), join(around, "more"), join(root, "../tools")];
    const hidden = join(root, "../hidden");
    const made = [
      join(root, "inner"),
      join(lib, ".ssh"),
      join(more, "sub"),
      join(state, "x"),
      join(hidden, "x"),
    ];
    mkdirSync(tools);
    for (const folder of made) mkdirSync(folder, { recursive: true });
    writeFileSync(join(lib, "file"), "");
    writeFileSync(join(tools, "bwrap"), "");
    symlinkSync(lib, join(root, "link"));
    const spelled = path
      .replace("LIB", lib)
      .replace("MORE", more)
      .replace("AROUND", around)
      .replace("TOOLS", tools)
      .replace("HIDDEN", hidden)
      .replace("STATE", state);
    const found = folderToAdd(spelled, {
      ...{ workspace: root, from: root, closed: [state], hidden: [hidden], programs: [join(tools, "bwrap")] },
      added: [{ root: more, trusted: true, writable: true }],
    });
    if (expected === "LIB") expect(found).toEqual({ ok: true, root: lib, isLink: path === "link" });
    else expect(found).toMatchObject({ ok: false, message: expect.stringMatching(expected) });
  });
});

test("what an archive may overwrite behind a link in the folder does not count as kept", async () => {
  const { examine, lib, root } = await openWithLib();
  const kept = async () => (await examine("bash", { command: `tar xf a.tar -C ${lib}/src` })).command?.kept;
  expect(await kept()).toEqual([{ path: `${lib}/src`, below: true }]);
  symlinkSync(join(root, "../lib-other"), join(lib, "src/other"));
  expect(await kept()).toBeUndefined();
});

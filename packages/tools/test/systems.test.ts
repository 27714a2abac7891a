/** Tests the features of the five systems that this package has; each title names the system and the feature. */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createRegistry } from "@localharness/engine";
import { expect, test } from "vitest";
import { createTools } from "../src/tool-sets.ts";
import { openBench, said } from "./bench.ts";

const secretPath = { path: "../outside/secret.txt" };

test("ZodoLlama: get_file_tree gives the files as a JSON array of paths", async () => {
  const bench = await openBench();
  bench.write("src/main.zig", "");
  bench.write("README.md", "");
  expect(JSON.parse(said(await bench.call("get_file_tree", {})))).toEqual(["README.md", "src/main.zig"]);
});

test("ZodoLlama: read_file takes files up to 10 MB and tells not_found, io_error and parse_error apart", async () => {
  const bench = await openBench();
  bench.write("ok", "x\n".repeat(5 * 1024 * 1024));
  bench.write("big", Buffer.alloc(10 * 1024 * 1024 + 1, "x"));
  bench.write("binary", Buffer.from([0, 1]));
  const type = async (path: string) => {
    const output = await bench.call("read_file", { path, limit: 1 });
    return output.ok ? "none" : output.errorType;
  };
  expect([await type("ok"), await type("none"), await type("big"), await type("binary")]).toEqual([
    "none",
    "not_found",
    "io_error",
    "parse_error",
  ]);
});

test("ZodoLlama: get_current_time is safe and gives ISO 8601", async () => {
  const bench = await openBench();
  expect(said(await bench.call("get_current_time", {}))).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/);
});

test("ZodoLlama: add_task gives task_1, list_tasks lists, update_task sets one of three statuses", async () => {
  const bench = await openBench();
  expect(said(await bench.call("add_task", { content: "Look" }))).toBe("task_1");
  expect(said(await bench.call("list_tasks", {}))).toBe(
    '[{"id":"task_1","status":"pending","content":"Look"}]',
  );
  for (const status of ["in_progress", "completed", "pending"]) {
    expect(await bench.call("update_task", { task_id: "task_1", status })).toMatchObject({ ok: true });
  }
  expect(await bench.call("update_task", { task_id: "task_1", status: "x" })).toMatchObject({
    errorType: "validation_failed",
  });
  expect(await bench.call("update_task", { task_id: "task_2", status: "pending" })).toMatchObject({
    errorType: "not_found",
  });
});

test("ZodoLlama: reading asks, writing warns, looking around is safe", async () => {
  const risks = Object.fromEntries(
    createTools((await openBench()).resources).map((tool) => [tool.name, tool.risk]),
  );
  expect(risks).toMatchObject({
    get_file_tree: "safe",
    read_file: "medium",
    write_file: "high",
    bash: "high",
    add_task: "safe",
  });
});

test("Local Harness: ls lists with type, size, time and a summary", async () => {
  const bench = await openBench();
  bench.write("a.txt", "x".repeat(1536));
  bench.write("src/b", "");
  const text = said(
    await bench.call("ls", { sort_by: "size", reverse: true, max_entries: 500, show_hidden: false }),
  );
  expect(text).toMatch(/^FILE\s+1\.5 KB\s+\d{4}-\d\d-\d\d \d\d:\d\d\s+a\.txt$/m);
  expect(text).toMatch(/^DIR\s+-\s+\S+ \S+\s+src\/$/m);
  expect(text).toMatch(/1 file, 1 directory, 1\.5 KB total$/);
});

test("Local Harness: read_file numbers its lines", async () => {
  const bench = await openBench();
  bench.write("f", "one\ntwo\n");
  expect(said(await bench.call("read_file", { path: "f" }))).toBe("1: one\n2: two");
});

test("Local Harness: write_file makes and overwrites, and names the size", async () => {
  const bench = await openBench();
  expect(said(await bench.call("write_file", { path: "f", content: "12345" }))).toContain("5 bytes");
  expect(said(await bench.call("write_file", { path: "f", content: "1234567" }))).toContain("7 bytes");
});

test("Local Harness: replace_lines replaces a range counted from 1 and says how many", async () => {
  const bench = await openBench();
  bench.write("f", "1\n2\n3\n");
  const output = await bench.call("replace_lines", {
    path: "f",
    line_start: 2,
    line_end: 3,
    new_content: "x",
  });
  expect(said(output)).toContain("(2 lines)");
  expect(bench.text("f")).toBe("1\nx\n");
});

test("Local Harness: insert_lines wants line_end equal to line_start, appends at the last line + 1, and previews", async () => {
  const bench = await openBench();
  bench.write("f", "1\n2\n");
  const insert = { path: "f", line_start: 3, line_end: 3, new_content: "3" };
  expect(await bench.call("insert_lines", { ...insert, line_end: 4 })).toMatchObject({
    errorType: "validation_failed",
  });
  expect(await bench.preview("insert_lines", insert)).toContain("\n 1\n 2\n+3\n");
  expect(await bench.call("insert_lines", insert)).toMatchObject({ ok: true });
  expect(bench.text("f")).toBe("1\n2\n3\n");
});

test("Local Harness: grep_search ignores case, takes * wildcards and a filter, and shows its flags", async () => {
  const bench = await openBench();
  bench.write("a.zig", "FN my_init()\n");
  bench.write("a.md", "fn init\n");
  bench.write(".config/b.zig", "fn init\n");
  const args = { pattern: "fn*init", file_filter: "*.zig", include_hidden: true, ignore_gitignore: true };
  const text = said(await bench.call("grep_search", args));
  expect(text).toContain("[+hidden] [+gitignored]");
  expect(text.split("\n").slice(2)).toEqual([".config/b.zig:1: fn init", "", "a.zig:1: FN my_init()"]);
});

test("Local Harness: get_working_directory gives the absolute path", async () => {
  const bench = await openBench();
  expect(said(await bench.call("get_working_directory", {}))).toBe(bench.root);
});

test.each([
  ["ls", { path: "../outside" }],
  ["read_file", secretPath],
  ["write_file", { ...secretPath, content: "x" }],
  ["replace_lines", { ...secretPath, line_start: 1, line_end: 1, new_content: "x" }],
  ["insert_lines", { ...secretPath, line_start: 1, line_end: 1, new_content: "x" }],
  ["edit_file", { ...secretPath, old_string: "OUTSIDE", new_string: "x" }],
  ["grep_search", { pattern: "OUTSIDE", path: "../outside" }],
  ["get_file_tree", { path: "../outside" }],
  ["mkdir", { path: "../outside/new" }],
  ["remove", secretPath],
])("Local Harness: %s blocks traversal and absolute paths", async (name, args) => {
  const bench = await openBench();
  expect(await bench.call(name, args)).toMatchObject({ ok: false, errorType: "validation_failed" });
  const absolute = { ...args, path: join(bench.root, args.path) };
  expect(await bench.call(name, absolute)).toMatchObject({ ok: false, errorType: "validation_failed" });
  expect(readFileSync(join(bench.outside, "secret.txt"), "utf8")).toBe("OUTSIDE\n");
});

test("Grok terminal: read_file, write_file, list_dir with dirpath, and bash", async () => {
  const bench = await openBench();
  expect(await bench.call("write_file", { filepath: "f", content: "x" })).toMatchObject({ ok: true });
  expect(said(await bench.call("read_file", { filepath: "f" }))).toBe("1: x");
  expect(said(await bench.call("list_dir", { dirpath: "." }))).toContain(" f\n");
  expect(said(await bench.call("bash", { command: "grep -n x f" }))).toBe("1:x\nexit code: 0");
});

test("Ralph: run_cmd is an alias of bash with safety checks", async () => {
  const bench = await openBench();
  expect(said(await bench.call("run_cmd", { cmd: "echo hi" }))).toBe("hi\nexit code: 0");
  expect(await bench.call("run_cmd", { cmd: "rm -rf /" })).toMatchObject({
    ok: false,
    errorType: "permission_denied",
  });
});

test("Ralph: git_status, git_diff, git_current_branch and git_commit_all", async () => {
  const bench = await openBench();
  await bench.call("bash", {
    command:
      "git init -qb main && git config user.name n && git config user.email e@example.org && git commit -qm x --allow-empty",
  });
  bench.write("a", "1\n");
  expect(said(await bench.call("git_status", {}))).toBe("?? a\n");
  expect(said(await bench.call("git_current_branch", {}))).toBe("main");
  expect(said(await bench.call("git_commit_all", { message: "Add a" }))).toMatch(/^Committed: /);
  bench.write("a", "2\n");
  expect(said(await bench.call("git_diff", {}))).toContain("-1\n+2\n");
});

test("Ralph: grep, mkdir and remove", async () => {
  const bench = await openBench();
  expect(await bench.call("mkdir", { path: "d" })).toMatchObject({ ok: true });
  expect(statSync(join(bench.root, "d")).isDirectory()).toBe(true);
  bench.write("d/f", "needle\n");
  expect(said(await bench.call("grep", { pattern: "needle" }))).toContain("d/f:1: needle");
  expect(await bench.call("remove", { path: "d", recursive: true })).toMatchObject({ ok: true });
});

test("Ralph: progress is reported as data: wrote, removed, committed, tests passed, task done", async () => {
  const bench = await openBench();
  await bench.call("bash", {
    command: "git init -q && git config user.name n && git config user.email e@example.org",
  });
  await bench.call("add_task", { content: "t" });
  const calls = [
    ["write_file", { path: "f", content: "x" }],
    ["git_commit_all", { message: "m" }],
    ["bash", { command: "node --test --test-name-pattern=none" }],
    ["update_task", { task_id: "task_1", status: "completed" }],
    ["remove", { path: "f" }],
  ] as const;
  const kinds: unknown[] = [];
  for (const [name, args] of calls) {
    const output = await bench.call(name, args);
    kinds.push(output.ok ? output.achieved?.[0]?.kind : output.message);
  }
  expect(kinds).toEqual(["wrote", "committed", "tests-passed", "task-done", "removed"]);
});

test("Onyx: list_directory and read_file are registered, listed, validated and executed", async () => {
  const bench = await openBench();
  bench.write("README.md", "hello\n");
  const registry = createRegistry(createTools(bench.resources));
  expect(registry.find("list_directory")?.tool.name).toBe("ls");
  expect(registry.validateInput("read_file", {})).toMatchObject({ ok: false });
  expect(said(await bench.call("list_directory", { path: "." }))).toContain("README.md");
  expect(said(await bench.call("read_file", { path: "README.md" }))).toBe("1: hello");
  expect(registry.unregister("ls")).toBe(true);
  expect(registry.find("list_directory")).toBeUndefined();
});

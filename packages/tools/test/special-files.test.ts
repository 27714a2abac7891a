/** Tests that calls on pipes, sockets, devices and system trees return at once and leak nothing. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { hangMs } from "../../../test/measures.ts";
import { type Bench, openBench, said } from "./bench.ts";

async function prepared(): Promise<Bench> {
  const bench = await openBench();
  bench.write("a.txt", "needle\n");
  execFileSync("mkfifo", [join(bench.root, "pipe")]);
  symlinkSync("pipe", join(bench.root, "pipe-link"));
  symlinkSync("/dev/zero", join(bench.root, "zero"));
  symlinkSync("/proc/self/environ", join(bench.root, "environ"));
  symlinkSync("/proc/self/fd/0", join(bench.root, "input"));
  symlinkSync("/proc/self/root", join(bench.root, "top"));
  symlinkSync("/sys", join(bench.root, "sys"));
  symlinkSync("nowhere", join(bench.root, "broken"));
  const server = createServer();
  onTestFinished(() => {
    server.close();
  });
  server.listen(join(bench.root, "sock"));
  await once(server, "listening");
  return bench;
}

const edit = { old_string: "a", new_string: "b" };
const refused = /regular file|leads out|not exist|leads nowhere|folder/;

describe.runIf(process.platform === "linux")("special files", () => {
  test.each<[string, JsonObject]>([
    ...["pipe", "pipe-link", "sock", "zero", "environ", "input", "top/etc/passwd", "sys/kernel"].flatMap(
      (path): [string, JsonObject][] => [
        ["read_file", { path }],
        ["write_file", { path, content: "x" }],
        ["edit_file", { path, ...edit }],
        ["insert_lines", { path, line_start: 1, new_content: "x" }],
        ["mkdir", { path: `${path}/x` }],
      ],
    ),
    ...["/dev/tty", "/dev/fd/0", "/dev/stdin", "/proc/self/environ", "/proc/self/oom_score_adj"].flatMap(
      (path): [string, JsonObject][] => [
        ["read_file", { path }],
        ["write_file", { path, content: "0" }],
        ["grep_search", { path, pattern: "." }],
        ["ls", { path }],
      ],
    ),
  ])("%s %j is an error at once", async (tool, args) => {
    const bench = await prepared();
    const started = performance.now();
    const output = await bench.call(tool, args);
    expect(output.ok).toBe(false);
    expect(said(output)).toMatch(refused);
    expect(performance.now() - started).toBeLessThan(hangMs);
  });

  test("are listed with their kind, and searches skip them", async () => {
    const bench = await prepared();
    const started = performance.now();
    const listing = said(await bench.call("ls", {}));
    for (const [kind, name] of Object.entries({
      FIFO: "pipe",
      SOCK: "sock",
      LINK: "broken",
      FILE: "a.txt",
    })) {
      expect(listing).toMatch(new RegExp(`^${kind} .* ${name}`, "m"));
    }
    expect(said(await bench.call("grep_search", { pattern: "needle" }))).toContain("1 match in 1 file");
    expect(said(await bench.call("get_file_tree", {}))).toContain("a.txt");
    expect(performance.now() - started).toBeLessThan(hangMs);
  });

  test("use up no thread and no descriptor", async () => {
    const bench = await prepared();
    const open = () => readdirSync("/proc/self/fd").length;
    await bench.call("read_file", { path: "a.txt" });
    const before = open();
    const paths = ["pipe", "pipe-link", "sock", "zero", "environ", "input", "top/etc/passwd", "broken"];
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(
        paths.flatMap((path) => [
          bench.call("read_file", { path }),
          bench.call("write_file", { path, content: "x" }),
          bench.examine("write_file", { path }),
          bench.examine("remove", { path, recursive: true }),
        ]),
      );
    }
    const started = performance.now();
    const reads = await Promise.all(
      Array.from({ length: 8 }, () => bench.call("read_file", { path: "a.txt" })),
    );
    expect(reads.map(said)).toEqual(Array.from({ length: 8 }, () => "1: needle"));
    expect(performance.now() - started).toBeLessThan(hangMs);
    expect(open()).toBeLessThanOrEqual(before);
  });

  test("are removed like other files", async () => {
    const bench = await prepared();
    for (const path of ["pipe-link", "pipe", "zero", "broken"]) {
      expect(await bench.call("remove", { path })).toMatchObject({ ok: true });
    }
    expect(readdirSync(bench.root)).not.toContain("pipe");
  });
});

/** Results that are longer than their share of the context window. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { defineTool } from "@localharness/engine";
import { describe, expect, test } from "vitest";
import { cutResult, withinShare } from "../src/parts/cut-result.ts";
import { openBench, said } from "./bench.ts";

const limit = 600;
/** The characters that the notes about a cut may add. */
const notes = 400;

async function bench() {
  const opened = await openBench({ resultLimit: () => limit });
  for (let index = 100; index < 180; index += 1) opened.write(`f-${index}.txt`, `needle in line ${index}\n`);
  opened.write("long.txt", Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n"));
  return opened;
}

/** Returns the path of the file that a result names. */
function keptIn(text: string): string {
  return /(\/\S*outputs-\S+\.txt)/.exec(text)?.[1] ?? "";
}

describe.each([
  ["ls", {}, "f-179.txt"],
  ["grep_search", { search: "needle in line" }, "f-179.txt:1: needle in line 179"],
  ["get_file_tree", {}, "f-179.txt"],
  ["bash", { command: "cat f-*.txt" }, "needle in line 140"],
])("a long result of %s", (name, args, last) => {
  test("is cut, and the session has the whole text in a private file that read_file reads", async () => {
    const opened = await bench();
    const output = await opened.call(name, args);
    const text = [said(output), ...(output.notes ?? [])].join("\n");
    expect(text.length).toBeLessThan(limit + notes);
    const path = keptIn(text);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    let read = "";
    for (let offset: number | undefined = 1; offset !== undefined; ) {
      const part: string = said(await opened.call("read_file", { path, offset }));
      expect(part.length).toBeLessThan(limit + notes);
      read += part;
      const next = /continue with offset=(\d+)\]$/.exec(part)?.[1];
      offset = next === undefined ? undefined : Number(next);
    }
    expect(read).toContain(last);
    await opened.resources.close();
    expect(existsSync(path)).toBe(false);
  });
});

test("read_file cuts at a line and needs no copy, because the file is there", async () => {
  const opened = await bench();
  const text = said(await opened.call("read_file", { path: "long.txt" }));
  expect(text).toMatch(/\n\d+: line \d+\n\[showing 1-\d+ of 200, continue with offset=\d+\]$/);
  expect(existsSync(opened.state)).toBe(false);
});

test("a kept file is the only path outside of the workspace that read_file opens", async () => {
  const opened = await bench();
  const path = keptIn(said(await opened.call("ls", {})));
  for (const other of [join(path, "..", "output-99.txt"), join(path, "..", ".."), join(opened.state, "x")]) {
    expect(await opened.call("read_file", { path: other })).toMatchObject({ ok: false });
  }
});

test("a tool that ignores its limit is cut too, also when it fails", async () => {
  const opened = await bench();
  const wrap = (ok: boolean) =>
    withinShare(
      defineTool({
        name: "endless",
        description: "Says much.",
        parameters: { type: "object", properties: {} },
        risk: "safe",
        readOnly: true,
        execute: async () =>
          ok
            ? { ok: true, data: "x".repeat(50_000) }
            : { ok: false, errorType: "io_error", message: "it broke", data: "x".repeat(50_000) },
      }),
      opened.resources,
    );
  const context = { callId: "call", signal: new AbortController().signal, report: () => undefined };
  for (const ok of [true, false]) {
    const output = await wrap(ok).execute({}, context);
    expect(output.ok).toBe(ok);
    expect(output.data?.length).toBeLessThan(limit + notes);
    expect(statSync(keptIn(output.data ?? "")).size).toBe(50_000);
  }
});

test("without room for the file the result says so", async () => {
  const { resources } = await bench();
  const full = {
    ...resources.outputs,
    create: () => {
      throw new Error("ENOSPC");
    },
  };
  const text = cutResult({ ...resources, outputs: full }, "x".repeat(5_000));
  expect(text).toMatch(/\[the whole output could not be kept: the disk is full or not writable\]$/);
});

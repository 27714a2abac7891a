/** Looks up errors after edits, with a real language server process. */
import { chmodSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRegistry, type ToolOutput } from "@localharness/engine";
import { runServer } from "@localharness/processes/helpers/run-server";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { createDiagnostics, type DiagnosticsOptions } from "../../src/diagnostics/diagnostics.ts";
import type { Diagnostics } from "../../src/diagnostics/edit-check.ts";
import { createTools } from "../../src/tool-sets.ts";
import { openBench } from "../bench.ts";

const script = join(import.meta.dirname, "../fixtures/language-server.ts");
const compiler = join(import.meta.dirname, "../../../../node_modules/typescript/bin/tsc");
const hangMs = 30_000;

interface Place {
  readonly root: string;
  readonly starts: () => number;
  write(path: string, text: string): void;
  /** Replaces a text of a file with the real tool. */
  edit(path: string, from: string, to: string, signal?: AbortSignal): Promise<ToolOutput>;
  readonly diagnostics: Diagnostics;
}

/** Opens a workspace with a program of this name, which runs the command, outside of it or in it. */
async function open(
  program: string,
  command: string,
  {
    confined = false,
    inside = false,
    ...options
  }: DiagnosticsOptions & { confined?: boolean; inside?: boolean } = {},
): Promise<Place> {
  const bin = temporaryFolder();
  const environment = { ...process.env, PATH: `${bin}:/usr/bin:/bin` };
  const bench = await openBench({ environment, ...(confined ? { sandbox: { mode: "require" } } : {}) });
  const file = join(inside ? bench.root : bin, program);
  writeFileSync(file, `#!/bin/sh\nexec ${command}\n`);
  chmodSync(file, 0o755);
  if (inside) symlinkSync(file, join(bin, program));
  let starts = 0;
  const { programs, workspace, sandbox } = bench.resources;
  const { resources } = bench;
  const diagnostics = createDiagnostics(resources, {
    waitMs: hangMs,
    ...(confined
      ? {}
      : {
          start: ([found = "", ...args], _context, { signal, onOutput }) => {
            starts += 1;
            const request = { command: found, args, signal, onOutput, environment: {}, sandboxed: false };
            return runServer(
              { programs, workspace, sandbox },
              { ...request, onErrorOutput: () => undefined },
            );
          },
        }),
    ...options,
  });
  onTestFinished(() => diagnostics.end());
  const registry = createRegistry(createTools({ ...resources, diagnostics }));
  const context = { callId: "1", signal: new AbortController().signal, report: () => undefined };
  return {
    root: bench.root,
    starts: () => starts,
    write: bench.write,
    diagnostics,
    edit: (path, old, text, signal = context.signal) => {
      const args = { path, old_string: old, new_string: text };
      return registry.execute("edit_file", args, { ...context, signal });
    },
  };
}

const server = (how: string) => `'${process.execPath}' '${script}' ${how}`;
const dataOf = (output: ToolOutput) => (output.ok ? output.data : output.message);
const edited = (path: string) => `Successfully edited ${path}: replaced at line 1.`;

describe.each(["versions", "plain", "pulled"])("a server that reports by %s", (how) => {
  test("adds the errors that the edit made, once, and none that were there", async () => {
    const { write, edit, starts } = await open("pyright-langserver", server(how));
    write("a.py", "one\nbad old\n");
    expect(starts()).toBe(0);
    expect(dataOf(await edit("a.py", "one", "bad new"))).toBe(
      `${edited("a.py")}\n\nNew errors since this edit, says pyright-langserver:\na.py:1: new is bad (7)`,
    );
    expect(dataOf(await edit("a.py", "bad new", "bad new\n"))).toBe(edited("a.py"));
    expect(dataOf(await edit("a.py", "bad new", "two"))).toBe(edited("a.py"));
    expect(starts()).toBe(1);
  });
});

test("the errors of the files that import the edited one are added", async () => {
  const { write, edit } = await open("pyright-langserver", server("versions"));
  write("part.py", "good word\n");
  write("sub/user.py", "from part import word\nbad word\n");
  write("sub/other.py", "bad word\n");
  expect(dataOf(await edit("part.py", "good", "ill"))).toMatch(
    /says pyright-langserver:\nsub\/user\.py:2: word is bad \(7\)$/,
  );
});

test("many errors are counted, and long ones are cut", async () => {
  const { write, edit } = await open("pyright-langserver", server("versions"));
  write("a.py", "one\n");
  const text = Array.from({ length: 30 }, (_, at) => `bad w${at}${"x".repeat(400)}`).join("\n");
  const lines = dataOf(await edit("a.py", "one", text)).split("\n");
  expect(lines.at(-1)).toBe("[... 22 more]");
  expect(lines.join("\n").length).toBeLessThan(2_500);
});

test.each([
  ["a language without a server", "a.go", "pyright-langserver", {}],
  ["a file that is no source code", "a.txt", "pyright-langserver", {}],
  ["a server in the workspace", "a.py", "pyright-langserver", { inside: true }],
])("nothing is started for %s", async (_title, path, program, options) => {
  const { write, edit, starts } = await open(program, server("versions"), options);
  write(path, "one\n");
  expect([dataOf(await edit(path, "one", "bad new")), starts()]).toEqual([edited(path), 0]);
});

test.each(["dies", "floods", "no-frames"])("a server that %s costs nothing", async (how) => {
  const { write, edit, starts } = await open("pyright-langserver", server(how));
  write("a.py", "one\n");
  const words = ["one", "two", "three", "four", "five"];
  for (const [at, to] of words.slice(1).entries()) {
    expect(dataOf(await edit("a.py", words[at] ?? "", to))).toBe(edited("a.py"));
  }
  expect(starts()).toBeLessThanOrEqual(2);
});

test.each(["no-start", "no-answer", "lies"])(
  "a server with %s is waited for once, up to the limit",
  async (how) => {
    const { write, edit, diagnostics } = await open("pyright-langserver", server(how), { waitMs: 200 });
    write("a.py", "one\n");
    expect(dataOf(await edit("a.py", "one", "bad two"))).toBe(edited("a.py"));
    expect(diagnostics.begin("a.py", { signal: new AbortController().signal })).toBe(undefined);
  },
);

test("an interrupt ends the wait", async () => {
  const { write, edit } = await open("pyright-langserver", server("no-answer"));
  write("a.py", "one\n");
  const ending = new AbortController();
  const result = edit("a.py", "one", "two", ending.signal);
  setImmediate(() => ending.abort());
  expect(dataOf(await result)).toBe(edited("a.py"));
});

test("in the sandbox a server reads the workspace and writes nothing in it", async () => {
  const { write, edit, root } = await open("pyright-langserver", server("writes"), { confined: true });
  write("a.py", "one\n");
  expect(dataOf(await edit("a.py", "one", "bad new"))).toMatch(/a\.py:1: new is bad \(7\)$/);
  // No placeholder of a protected name stays in the folder while the server runs.
  expect(readdirSync(root)).toEqual(["a.py"]);
});

test("a real server finds the errors of an edit in the file and in one that imports it", async () => {
  const { write, edit } = await open("tsgo", `'${process.execPath}' '${compiler}' "$@"`, { confined: true });
  write("tsconfig.json", '{ "compilerOptions": { "strict": true, "noLib": false } }');
  write("part.ts", "export const count: number = 1;\n");
  write("user.ts", 'import { count } from "./part";\nexport const twice: number = count * 2;\n');
  expect(dataOf(await edit("part.ts", "number = 1", "string = 1"))).toMatch(
    /says tsgo:\npart\.ts:1: Type 'number' is not assignable to type 'string'\. \(2322\)\nuser\.ts:2: .*\(23\d\d\)$/,
  );
});

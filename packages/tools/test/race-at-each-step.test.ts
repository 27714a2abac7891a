/**
 * Exchanges a name for a link that leads out of the workspace after each single operation of a call in turn. An attacker
 * who runs beside the tools meets such a moment in one of 2,000 tries; here each try meets one.
 */
import fs, { readdirSync, readFileSync, realpathSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Bench, openBench } from "./bench.ts";

const canary = "OUTSIDE";

const { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } = fs;

const watched = [
  ...["openSync", "closeSync", "lstatSync", "statSync", "fstatSync", "realpathSync", "readlinkSync"],
  ...["readdirSync", "readFileSync", "mkdirSync", "renameSync", "unlinkSync", "rmdirSync", "writeFileSync"],
] as const;

/** Calls `strike` after each operation on files, with the number of the operation, until the returned function is called. */
function watchOperations(strike: (operation: number) => void): () => void {
  const functions = fs as unknown as Record<string, (...args: unknown[]) => unknown>;
  const originals = new Map(watched.map((name) => [name, functions[name]] as const));
  const { open } = promises;
  let count = 0;
  let striking = false;
  const after = () => {
    if (striking) return;
    count += 1;
    striking = true;
    strike(count);
    striking = false;
  };
  for (const [name, original] of originals) {
    if (original === undefined) continue;
    const watching = (...args: unknown[]) => {
      try {
        return original(...args);
      } finally {
        after();
      }
    };
    functions[name] = Object.assign(watching, original);
  }
  promises.open = async (...args) => {
    try {
      return await open(...args);
    } finally {
      after();
    }
  };
  syncBuiltinESMExports();
  return () => {
    for (const [name, original] of originals) if (original !== undefined) functions[name] = original;
    promises.open = open;
    syncBuiltinESMExports();
  };
}

/** Makes `f`, a file, and `d`, a folder, as they are before each try. */
function reset({ root, outside }: Bench): void {
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true });
  for (const name of readdirSync(outside)) rmSync(join(outside, name), { recursive: true, force: true });
  writeFileSync(join(outside, "secret.txt"), `${canary}\n`);
  writeFileSync(join(outside, "only-there.txt"), "");
  mkdirSync(join(root, "d"));
  writeFileSync(join(root, "d", "secret.txt"), "inside\n");
  writeFileSync(join(root, "f"), "inside\n");
}

/** Exchanges `f` and `d` for links, or back. */
function exchange({ root, outside }: Bench, toLinks: boolean): void {
  const targets = { f: join(outside, "secret.txt"), d: outside };
  for (const [name, target] of Object.entries(targets)) {
    try {
      const path = join(root, name);
      if (toLinks) {
        renameSync(path, `${path}.kept`);
        symlinkSync(target, path);
      } else {
        rmSync(path, { force: true });
        renameSync(`${path}.kept`, path);
      }
    } catch {
      // The tool has just removed or made something with that name.
    }
  }
}

interface Tries {
  /** Calls during which the names were exchanged: all but the last, which had fewer operations. */
  tries: number;
  leaked: number;
  changed: number;
}

const maxOperations = 200;

/** Tries the call with the exchange after its first operation, its second, and so on; with `back`, for one operation only. */
async function tryEach(bench: Bench, back: boolean, call: () => Promise<unknown>): Promise<Tries> {
  const seen: Tries = { tries: 0, leaked: 0, changed: 0 };
  for (let at = 1; at <= maxOperations; at += 1) {
    reset(bench);
    let struck = false;
    const stop = watchOperations((operation) => {
      if (operation === at) exchange(bench, true);
      if (back && operation === at + 1) exchange(bench, false);
      struck ||= operation === at;
    });
    onTestFinished(stop);
    const output = await call().catch((error: unknown) => String(error));
    stop();
    if (!struck) return seen;
    seen.tries += 1;
    const text = JSON.stringify(output);
    seen.leaked += text.includes(canary) || text.includes("only-there") ? 1 : 0;
    seen.changed += isOutsideUntouched(bench) ? 0 : 1;
  }
  throw new Error(`the call takes more than ${maxOperations} operations`);
}

function isOutsideUntouched({ outside }: Bench): boolean {
  const names = readdirSync(outside).sort().join();
  const text = names.includes("secret.txt") ? readFileSync(join(outside, "secret.txt"), "utf8") : "";
  return names === "only-there.txt,secret.txt" && text === `${canary}\n`;
}

/** A vulnerable reader: resolves, compares, then uses the path. */
async function checkedRead(root: string, path: string): Promise<string> {
  const real = realpathSync(join(root, path));
  return real.startsWith(`${root}/`) ? readFileSync(join(root, path), "utf8") : "";
}

const calls: readonly (readonly [string, JsonObject])[] = [
  ["read_file", { path: "f" }],
  ["read_file", { path: "d/secret.txt" }],
  ["ls", { path: "d" }],
  ["write_file", { path: "f", content: "PWNED" }],
  ["write_file", { path: "d/new.txt", content: "PWNED" }],
  ["write_file", { path: "d/made/new.txt", content: "PWNED" }],
  ["edit_file", { path: "d/secret.txt", old_string: "inside", new_string: "PWNED" }],
  ["insert_lines", { path: "d/secret.txt", line_start: 1, new_content: "PWNED" }],
  ["mkdir", { path: "d/made/below" }],
  ["remove", { path: "d/secret.txt" }],
  ["remove", { path: "d", recursive: true }],
];

describe.runIf(process.platform === "linux").each([false, true])(
  "while names are exchanged after an operation (and back after the next: %s)",
  (back) => {
    test("checking a path and then using it leaks", async () => {
      const bench = await openBench();
      const seen = await tryEach(bench, back, () => checkedRead(bench.root, "f"));
      expect(seen.leaked).toBeGreaterThan(0);
    });

    test.each(calls)("%s %j reaches nothing outside", async (tool, args) => {
      const bench = await openBench();
      const seen = await tryEach(bench, back, () => bench.call(tool, args));
      expect(seen).toMatchObject({ leaked: 0, changed: 0 });
      expect(seen.tries).toBeGreaterThan(2);
    });
  },
);

/** Creates a workspace in a temporary folder with the real tools, for one test or for those of a file. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type CallFacts, createRegistry, type ToolContext, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { afterAll, onTestFinished } from "vitest";
import { type AtEnd, temporaryFolder } from "../../workspace/test/temporary-folder.ts";
import {
  openToolResources,
  type ToolResources,
  type ToolResourcesOptions,
} from "../src/resources/resources.ts";
import { createTools } from "../src/tool-sets.ts";

export interface Bench {
  /** The workspace's real path. */
  readonly root: string;
  /** The folder next to the workspace, which tools must not reach. */
  readonly outside: string;
  readonly state: string;
  readonly resources: ToolResources;
  readonly reports: string[];
  call(name: string, args: JsonObject, more?: AbortSignal | Partial<ToolContext>): Promise<ToolOutput>;
  examine(name: string, args: JsonObject): Promise<CallFacts>;
  preview(name: string, args: JsonObject): Promise<string | undefined>;
  foresee(name: string, args: JsonObject, mayShow?: boolean): Promise<ToolOutput | undefined>;
  fingerprint(name: string, args: JsonObject): Promise<string | undefined>;
  write(path: string, content: string | Buffer): void;
  text(path: string): string;
  bytes(path: string): Buffer;
}

export async function openBench(
  options: Partial<ToolResourcesOptions> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<Bench> {
  const folder = temporaryFolder(atEnd);
  const root = join(folder, "ws");
  const outside = join(folder, "outside");
  const state = join(folder, "state");
  mkdirSync(root);
  mkdirSync(outside);
  writeFileSync(join(outside, "secret.txt"), "OUTSIDE\n");
  const resources = await openToolResources({ workspace: root, stateFolder: state, ...options });
  atEnd(() => resources.close());
  const tools = createTools(resources);
  const registry = createRegistry(tools);
  const reports: string[] = [];
  const toolOf = (name: string) => {
    const found = registry.find(name);
    if (found === undefined) throw new Error(`no tool ${name}`);
    return found.tool;
  };
  return {
    root,
    outside,
    state,
    resources,
    reports,
    call: (name, args, more = {}) =>
      registry.execute(name, args, {
        callId: "call_1",
        signal: new AbortController().signal,
        report: (text) => reports.push(text),
        ...(more instanceof AbortSignal ? { signal: more } : more),
      }),
    examine: async (name, args) => (await toolOf(name).examine?.(args, new AbortController().signal)) ?? {},
    preview: async (name, args) => await toolOf(name).preview?.(args, new AbortController().signal),
    foresee: async (name, args, mayShow = false) =>
      await toolOf(name).foresee?.(args, new AbortController().signal, mayShow),
    fingerprint: async (name, args) => await toolOf(name).fingerprint?.(args),
    write: (path, content) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    text: (path) => readFileSync(join(root, path), "utf8"),
    bytes: (path) => readFileSync(join(root, path)),
  };
}

/** Returns a function that opens one bench for all tests of a file, when the first of them needs it, and prepares it. */
export function sharedBench(
  options: Partial<ToolResourcesOptions>,
  prepare: (bench: Bench) => void,
): () => Promise<Bench> {
  const ends: (() => Promise<void> | void)[] = [];
  afterAll(async () => {
    for (const end of ends.reverse()) await end();
  });
  let opened: Promise<Bench> | undefined;
  return () => {
    opened ??= openBench(options, (end) => void ends.push(end)).then((bench) => {
      prepare(bench);
      return bench;
    });
    return opened;
  };
}

/** Returns what the model reads: the data of a success, or the message of a failure. */
export function said(output: ToolOutput): string {
  return output.ok ? output.data : output.message;
}

/** Writes a minimal repository that git accepts. `folder` ends with a slash. */
export function writeRepository(bench: Bench, config: string, folder = ""): void {
  for (const [name, text] of [
    ["HEAD", "ref: refs/heads/main\n"],
    ["objects/info/packs", ""],
    ["refs/heads/.keep", ""],
    ["config", config],
  ] as const) {
    bench.write(`${folder}.git/${name}`, text);
  }
}

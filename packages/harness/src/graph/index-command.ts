/** `localharness index`: builds, shows, queries and removes the index of a folder's source code. */
import { resolve } from "node:path";
import { usageError } from "@localharness/engine";
import { type CodeGraph, openGraph, type SweepReport } from "@localharness/graph";
import { defined, reasonOf } from "@localharness/protocol";
import type { ToolResources } from "@localharness/tools";
import { exitCodes } from "../commands/exit-code.ts";
import { openResources, ownFolder } from "../compose/open-resources.ts";
import { openWeb } from "../compose/web.ts";
import type { Options } from "../config/options.ts";
import { loadSettings, type Settings } from "../config/settings.ts";
import { createModelQueues } from "../models/model-queues.ts";
import { embedderOf } from "./embedder.ts";
import { graphFile } from "./graph-place.ts";
import { buildLines, foundLines, missingLines, statusLines, vectorLines } from "./index-words.ts";
import { sourceFiles } from "./source-files.ts";

export interface IndexInvocation {
  readonly positionals: readonly string[];
  readonly flags: Options & { readonly json?: unknown; readonly workspace?: unknown };
}

/** The result of a subcommand: the lines to print, the value for `--json`, and the exit code. */
interface Done {
  readonly lines: readonly string[];
  readonly value: unknown;
  readonly code: number;
}

const usage = "usage: localharness index build|status|query TEXT|drop";
const queryResults = 20;
/** The number of threads that parse. Two are used, because nothing else is running. */
const parsers = 2;

/** Runs the command and prints its result. `clean` removes what could control a terminal. Resolves to the exit code. */
export async function runIndex(
  { positionals: [word, ...rest], flags }: IndexInvocation,
  clean: (text: string) => string,
): Promise<number> {
  const text = rest.join(" ");
  const run = word === undefined ? undefined : commands[word];
  if (run === undefined || (text !== "") !== (word === "query")) throw usageError(usage);
  const folder = typeof flags.workspace === "string" ? flags.workspace : ".";
  const settings = await loadSettings(flags);
  const resources = await openFolder(folder, settings);
  const path = graphFile(ownFolder(), resources.workspace.root);
  const queues = createModelQueues(undefined);
  const embedder = await embedderOf(settings.values, settings.folder, queues, process.env);
  const graph = openGraph({ path, files: sourceFiles(resources), parsers, ...defined({ embedder }) });
  try {
    const { lines, value, code } = await run(graph, text);
    const output = flags.json === true ? JSON.stringify(value) : lines.join("\n");
    process.stdout.write(`${clean(output)}\n`);
    return code;
  } catch (error) {
    throw new Error(`the index cannot be used: ${reasonOf(error)}`, { cause: error });
  } finally {
    await graph.close();
    await resources.close();
  }
}

const commands: Readonly<Record<string, (graph: CodeGraph, text: string) => Promise<Done>>> = {
  build,
  async status(graph) {
    if (!graph.exists()) return { lines: [noIndex], value: null, code: exitCodes.error };
    const status = await graph.status();
    return { lines: statusLines(status), value: status, code: exitCodes.done };
  },
  async query(graph, text) {
    if (!graph.exists()) return { lines: [noIndex], value: null, code: exitCodes.error };
    await graph.build(new AbortController().signal);
    const named = !/\s/.test(text) ? await graph.findSymbols(text, undefined, queryResults) : undefined;
    const found =
      named !== undefined && named.total > 0 ? named : await graph.search(text, undefined, queryResults);
    const code = found.lines.length > 0 ? exitCodes.done : exitCodes.error;
    const missing = await graph.missing();
    const lines = [...foundLines(found.lines), ...missingLines(missing)];
    return { lines, value: { ...found, ...defined({ missing }) }, code };
  },
  async drop(graph) {
    const dropped = await graph.drop();
    const line = dropped ? "the index of this folder is removed" : "this folder has no index";
    return { lines: [line], value: { dropped }, code: exitCodes.done };
  },
};

const noIndex = "this folder has no index: localharness index build makes one";

/** Builds the index. Ctrl-C stops the parsing after the files that are being parsed, and the embedding; what is done stays. */
async function build(graph: CodeGraph): Promise<Done> {
  const stop = new AbortController();
  const onInterrupt = () => stop.abort();
  process.on("SIGINT", onInterrupt).on("SIGTERM", onInterrupt);
  const started = performance.now();
  const meter = progressMeter();
  try {
    const report: SweepReport = await graph.build(stop.signal, meter.show("files"));
    const vectors = await graph.embed(stop.signal, meter.show("sections"));
    const ms = Math.round(performance.now() - started);
    const status = await graph.status();
    const code = stop.signal.aborted ? exitCodes.interrupted : exitCodes.done;
    const lines = [...buildLines(report, status, ms), ...vectorLines(vectors)];
    return { lines, value: { ...report, ...defined({ vectors }), ms }, code };
  } finally {
    meter.end();
    process.off("SIGINT", onInterrupt).off("SIGTERM", onInterrupt);
  }
}

const progressMs = 200;

/**
 * Returns a meter that shows the progress on stderr: in a terminal one line that is updated, otherwise a line every 10
 * s.
 */
function progressMeter() {
  const { stderr } = process;
  let next = performance.now() + (stderr.isTTY ? progressMs : 10_000);
  let shown = false;
  return {
    show: (what: string) => (done: number, of: number) => {
      if (performance.now() < next) return;
      next = performance.now() + (stderr.isTTY ? progressMs : 10_000);
      shown = true;
      stderr.write(stderr.isTTY ? `\r${done} of ${of} ${what}` : `${done} of ${of} ${what}\n`);
    },
    end() {
      if (shown && stderr.isTTY) stderr.write("\r\u001b[K");
    },
  };
}

async function openFolder(folder: string, settings: Settings): Promise<ToolResources> {
  const web = openWeb({}, {}, {}, () => false);
  // No command runs, so no sandbox is needed.
  const values = { ...settings.values, sandbox: "off" as const };
  const parts = { stateFolder: ownFolder(), settings: { ...settings, values }, secrets: [], web };
  return openResources(resolve(folder), parts);
}

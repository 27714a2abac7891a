/**
 * Offers the tools that answer from the index. Keeps the index up to date with the files that other tools read and
 * write.
 */
import { existsSync } from "node:fs";
import { shareChars } from "@localharness/context/budgets";
import type { Tool } from "@localharness/engine";
import type { CodeGraph, Embedder } from "@localharness/graph";
import { defined } from "@localharness/protocol";
import { readChoice, type ToolResources, toolSet } from "@localharness/tools";
import type { ConfigValues } from "../config/fields.ts";
import type { Settings } from "../config/settings.ts";
import type { ModelQueues } from "../models/model-queues.ts";
import { embedderOf } from "./embedder.ts";
import { graphFile } from "./graph-place.ts";

export interface OfferedGraph {
  /**
   * The tools that answer from the index; empty if the setting is `off`, or if it is `auto` and the workspace has no
   * index.
   */
  readonly tools: readonly Tool[];
  /**
   * Returns copies of the tools that tell the index which files their calls read and write; plain copies without an index.
   */
  watch(tools: readonly Tool[]): Tool[];
  /**
   * Resolves to a map of the folder, which takes at most 5 % of a context window of `window` tokens. Resolves to undefined
   * if there is no index, if the setting `repository_map` gives no map in this window, or if no map can be made. Never
   * rejects.
   */
  map(window: number | undefined): Promise<string | undefined>;
  close(): Promise<void>;
}

/** The tools that answer from the index. */
export const graphToolNames: readonly string[] = ["find_symbol", "find_references", "search_code"];

/**
 * Returns the chosen tools. The sets `standard` and `all` include the tools of the index if these are available. If they are
 * not, their names in a list have no effect. Throws `tool-unknown` for every other unknown name.
 */
export function chosenTools(tools: readonly Tool[], choice: string | readonly string[]): Tool[] {
  const there = graphToolNames.filter((name) => tools.some((tool) => tool.name === name));
  const list = typeof choice === "string" ? [choice] : choice;
  const ofSet = readChoice(list).named.includes("standard") ? there : [];
  const isThere = (name: string) => there.includes(name) || !graphToolNames.includes(name);
  return toolSet(tools, [...list.filter((name) => isThere(name.replace(/^-/, ""))), ...ofSet]);
}

const nothing: OfferedGraph = {
  tools: [],
  watch: (tools) => [...tools],
  map: async () => undefined,
  close: async () => {},
};

/** The smallest window, in tokens, in which the setting `auto` gives a map. */
const minMapWindow = 16_384;
/** The maximum size of a map, in percent of the context window. */
const mapShare = 5;
/** The maximum size of a map, in characters. */
const maxMapChars = 4_000;

/** Returns the characters that the map may have; 0 for no map. */
function mapChars(setting: ConfigValues["repository_map"], window: number | undefined): number {
  if (setting === undefined || setting === "off") return 0;
  if (setting === "auto" && (window ?? 0) < minMapWindow) return 0;
  return Math.min(maxMapChars, shareChars(window, mapShare));
}

export interface OfferingParts {
  readonly queues: ModelQueues;
  /** The environment variables, with the API keys of the model servers. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Returns the tools of the index, by the settings. Loads nothing of the index before the first call that needs it. */
export async function offerGraph(
  resources: ToolResources,
  stateFolder: string,
  { values, folder }: Settings,
  { queues, environment }: OfferingParts,
): Promise<OfferedGraph> {
  const { index = "auto", index_see_also: seeAlso = false } = values;
  const path = graphFile(stateFolder, resources.workspace.root);
  if (index === "off" || (index === "auto" && !existsSync(path))) return nothing;
  const { graphTools } = await import("@localharness/graph/graph-tools");
  let opening: Promise<CodeGraph> | undefined;
  const open = () => {
    opening ??= openLazily(resources, path, () => embedderOf(values, folder, queues, environment));
    return opening;
  };
  return {
    tools: graphTools({ open, resultLimit: resources.resultLimit }),
    watch: (tools) => tools.map((tool) => watched(tool, open, seeAlso)),
    async map(window) {
      const most = mapChars(values.repository_map, window);
      if (most === 0 || !existsSync(path)) return undefined;
      const map = await open()
        .then((graph) => graph.map(most))
        .catch(() => "");
      return map === "" ? undefined : map;
    },
    async close() {
      await (await opening?.catch(() => undefined))?.close();
    },
  };
}

async function openLazily(
  resources: ToolResources,
  path: string,
  embedding: () => Promise<Embedder | undefined>,
): Promise<CodeGraph> {
  const { openGraph } = await import("@localharness/graph");
  const { sourceFiles } = await import("./source-files.ts");
  const embedder = await embedding();
  return openGraph({ path, files: sourceFiles(resources), ...defined({ embedder }) });
}

const reader = "read_file";

/**
 * Returns a copy of the tool that tells the index the paths of each successful call, if the index can be opened. With
 * `seeAlso`, `read_file` also adds a note about related files to its result.
 */
function watched(tool: Tool, open: () => Promise<CodeGraph>, seeAlso: boolean): Tool {
  return {
    ...tool,
    async execute(args, context) {
      const output = await tool.execute(args, context);
      // The index is one of the workspace, and not of folders that the person adds to a session.
      const paths = context.examined?.paths?.filter(({ added }) => added === undefined) ?? [];
      if (!output.ok || paths.length === 0) return output;
      const graph = await open().catch(() => undefined);
      for (const { path } of paths) graph?.onFileSeen(path);
      const [read] = paths;
      if (!seeAlso || graph === undefined || read === undefined || tool.name !== reader) return output;
      const related = await graph.relatedTo(read.path);
      return related === undefined ? output : { ...output, notes: [...(output.notes ?? []), related] };
    },
  };
}

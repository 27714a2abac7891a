/**
 * Defines the tools that answer from the index: `find_symbol`, `find_references` and `search_code`. They change
 * nothing.
 */
import {
  type CallFacts,
  defineTool,
  failed,
  type ParametersSchema,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import { countText, type JsonObject, reasonOf } from "@localharness/protocol";
import type { Admits, FoundLine } from "../answers.ts";
import type { CodeGraph } from "../code-graph.ts";
import { searchedWords } from "../parse/searched-words.ts";
import type { MissingBecause } from "../store/index-store.ts";
import { isDamaged } from "../threads/store.ts";
import { showLines } from "./show-lines.ts";

/** The parts of the program that the tools need. */
export interface GraphToolParts {
  /** Resolves to the index, which is opened at the first call. */
  open(): Promise<CodeGraph>;
  /** Returns the maximum number of characters of one result. */
  resultLimit(): number;
}

/** The maximum milliseconds that a call waits for changed files to be indexed. */
const maxRefreshMs = 1_000;
/** The maximum milliseconds that a call waits for the first index of a workspace. */
const maxFirstMs = 20_000;

/** What a tool has found. `none` is the advice that is given if there are no lines. */
interface Found {
  readonly lines: readonly FoundLine[];
  readonly total: number;
  readonly title: string;
  readonly none: string;
  readonly note?: string;
}

/** The differences between the tools. */
interface GraphToolRow {
  readonly name: string;
  readonly description: string;
  /** The name of the parameter that has the name or text to find. */
  readonly asks: string;
  readonly aliases: readonly string[];
  readonly asksAliases: readonly string[];
  readonly defaultResults: number;
  readonly maxResults: number;
  find(
    graph: CodeGraph,
    asked: string,
    below: string | undefined,
    most: number,
    admits: Admits,
  ): Promise<Found>;
}

const missingTexts: Readonly<Record<MissingBecause, string>> = {
  files:
    "the index has its maximum number of files, so not all are in it; grep_search searches the others too",
  bytes: "the index has its maximum size, so not all files are in it; grep_search searches the others too",
  listing: "not all files of the folder could be listed for the index; grep_search may find more",
};
const grepInstead = "grep_search finds text in files that have no symbols, and in files that are ignored.";

const rows: readonly GraphToolRow[] = [
  {
    name: "find_symbol",
    description: "Find where a function, class, type or other symbol is defined, by name.",
    asks: "name",
    aliases: ["find_definition", "go_to_definition", "goto_definition", "get_symbol", "lookup_symbol"],
    asksAliases: ["symbol", "query", "symbol_name", "identifier"],
    defaultResults: 20,
    maxResults: 200,
    async find(graph, asked, below, most, admits) {
      const { lines, total, by } = await graph.findSymbols(asked, below, most, admits);
      const how =
        by === "name"
          ? `named "${asked}"`
          : `with ${by === "words" ? "the words of" : "names that begin with"} "${asked}"`;
      return {
        lines,
        total,
        title: `Definitions ${how}`,
        none: `Try search_code with words. ${grepInstead}`,
      };
    },
  },
  {
    name: "find_references",
    description: "Find the lines where a symbol is called, imported or used, by its exact name.",
    asks: "name",
    aliases: ["find_usages", "get_references", "find_callers", "references"],
    asksAliases: ["symbol", "query", "symbol_name", "identifier"],
    defaultResults: 50,
    maxResults: 500,
    async find(graph, asked, below, most, admits) {
      const { lines, total, name, complete } = await graph.findReferences(asked, below, most, admits);
      return {
        lines,
        total,
        title: `References to "${name}"${complete ? "" : " in some of the many files that have it"}`,
        none: `Upper and lower case count; find_symbol finds similar names. ${grepInstead}`,
      };
    },
  },
  {
    name: "search_code",
    description: "Find code by words about what it does, best matches first.",
    asks: "query",
    aliases: ["semantic_search", "codebase_search", "search_index"],
    asksAliases: ["text", "question", "search", "words"],
    defaultResults: 10,
    maxResults: 50,
    async find(graph, asked, below, most, admits) {
      const found = await graph.search(asked, below, most, admits);
      const none =
        searchedWords(asked).length > 0 ? "Try other words." : "The index has words of 2 to 60 letters.";
      return { ...found, title: `Places for "${asked}"`, none: `${none} ${grepInstead}` };
    },
  },
];

/** Creates the three tools. */
export function graphTools(parts: GraphToolParts): readonly Tool[] {
  return rows.map((row) => toolOf(row, parts));
}

export const graphToolNames: readonly string[] = rows.map(({ name }) => name);

function toolOf(row: GraphToolRow, parts: GraphToolParts): Tool {
  return defineTool({
    name: row.name,
    description: row.description,
    parameters: parametersOf(row),
    aliases: row.aliases,
    parameterAliases: {
      [row.asks]: row.asksAliases,
      path: ["file", "folder", "directory", "dir", "file_path"],
      max_results: ["limit", "top_k", "count"],
    },
    risk: "low",
    readOnly: true,
    timeoutMs: 40_000,
    examine: (args) => factsOf(args),
    execute: (args, context) => run(row, parts, args, context),
  });
}

function parametersOf({ asks }: GraphToolRow): ParametersSchema {
  return {
    type: "object",
    properties: {
      [asks]: { type: "string" },
      path: { type: "string", description: "a folder or file" },
      max_results: { type: "integer" },
    },
    required: [asks],
  };
}

/** Returns the facts of a call, which is a look: the index has only files that may be read without a question. */
function factsOf(args: JsonObject): CallFacts {
  const path = folderOf(args) ?? ".";
  return {
    looks: true,
    effect: `shows the model lines of source files in "${path}"`,
    paths: [{ path, access: "read" }],
  };
}

async function run(
  row: GraphToolRow,
  parts: GraphToolParts,
  args: JsonObject,
  context: ToolContext,
): Promise<ToolOutput> {
  const asked = String(args[row.asks] ?? "").trim();
  if (asked === "") return failed("validation_failed", `${row.asks} is empty. Give a name or words to find.`);
  const wanted = typeof args["max_results"] === "number" ? args["max_results"] : row.defaultResults;
  const most = Math.min(Math.max(Math.floor(wanted), 1), row.maxResults);
  const ask = async () => answer(row, await parts.open(), { asked, most, below: folderOf(args) }, context);
  try {
    // A damaged index was removed. The second time it is built first.
    const { found, notes } = await ask().catch((error: unknown) => {
      if (!isDamaged(error)) throw error;
      return ask();
    });
    return { ok: true, data: showLines(found, parts.resultLimit()), notes };
  } catch (error) {
    return failed("io_error", `The index cannot be used (${reasonOf(error)}). Use grep_search instead.`);
  }
}

interface Question {
  readonly asked: string;
  readonly most: number;
  readonly below: string | undefined;
}

async function answer(
  row: GraphToolRow,
  graph: CodeGraph,
  { asked, most, below }: Question,
  { denies }: ToolContext,
): Promise<{ readonly found: Found; readonly notes: readonly string[] }> {
  const state = await graph.refresh(maxRefreshMs, maxFirstMs);
  const found = await row.find(graph, asked, below, most, (path) => denies?.(path, "read") !== true);
  const missing = await graph.missing();
  const skipped = found.lines.length === 0 ? await graph.skipped() : 0;
  const notes = [
    ...(state === "fresh" ? [] : ["the index is still being brought up to date; a later call may find more"]),
    ...(missing === undefined ? [] : [missingTexts[missing]]),
    ...(skipped === 0
      ? []
      : [
          `not in the index: ${countText(skipped, "file")} that could not be parsed; grep_search searches all files`,
        ]),
    ...(found.note === undefined ? [] : [found.note]),
  ];
  return { found, notes };
}

/**
 * Returns the folder or file that limits the answer, without `./` at the beginning and `/` at the end. Returns
 * undefined for the whole workspace.
 */
function folderOf(args: JsonObject): string | undefined {
  const path = typeof args["path"] === "string" ? args["path"].replace(/^(?:\.\/)+|\/+$/g, "") : "";
  return path === "" || path === "." ? undefined : path;
}

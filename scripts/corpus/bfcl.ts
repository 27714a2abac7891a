/**
 * Writes each function call of a public benchmark in each format, and reads it again without naming the format.
 * Questions that need no call, and the project's own documents and sources, must give no calls.
 */
import { readFileSync } from "node:fs";
import { glob } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import {
  detect,
  type FormatId,
  formats,
  type JsonValue,
  type ToolSchema,
  toMessages,
} from "@localharness/detect";

interface Row {
  readonly id: string;
  readonly question: readonly { readonly content: string }[];
  readonly tools: readonly { readonly function: ToolSchema }[];
  readonly calls: readonly { readonly name: string; readonly arguments: { [key: string]: JsonValue } }[];
  /** Set when the benchmark's answer contradicts its schema: conversion by the schema then changes the answer. */
  readonly schema_mismatch?: unknown;
}

export interface BfclOptions {
  /** Prints each wrong case and each invented call. */
  readonly failed: boolean;
  /** The only format in which calls are written; texts without calls are read in any case. */
  readonly family?: string;
}

interface Tally {
  exact: number;
  wrong: number;
}

/** Texts before a call. */
const preambles = ["", "Let me look that up.\n"];

/**
 * Prints a table of the formats. The last line is `bfcl: A exact, B wrong, C invented`. Resolves to the exit code: 1
 * when B or C is not 0, else 0.
 */
export async function runBfcl(folder: string, options: BfclOptions): Promise<number> {
  const rows = readRows(join(folder, "bfcl.jsonl"));
  const calling = rows.filter((row) => row.calls.length > 0);
  const ids = formats
    .map((row) => row.id)
    .filter((id) => options.family === undefined || id === options.family);
  const total: Tally = { exact: 0, wrong: 0 };
  console.log(`${"format".padEnd(16)} ${"single".padStart(14)} ${"parallel".padStart(14)}`);
  for (const id of ids) {
    const tallies = { single: { exact: 0, wrong: 0 }, parallel: { exact: 0, wrong: 0 } };
    for (const row of calling) {
      const tally = row.calls.length > 1 ? tallies.parallel : tallies.single;
      for (const preamble of preambles) {
        const problem = comesBack(id, row, preamble);
        if (problem === undefined) tally.exact += 1;
        else {
          tally.wrong += 1;
          if (options.failed) console.log(`  ${id} ${row.id}: ${problem}`);
        }
      }
    }
    const cells = [tallies.single, tallies.parallel].map((tally) => {
      total.exact += tally.exact;
      total.wrong += tally.wrong;
      return `${tally.exact}/${tally.exact + tally.wrong}`.padStart(14);
    });
    console.log(`${id.padEnd(16)} ${cells.join(" ")}`);
  }
  const invented = inQuestions(rows, options) + (await inOwnTexts(rows, options));
  console.log(`bfcl: ${total.exact} exact, ${total.wrong} wrong, ${invented} invented`);
  return total.wrong + invented > 0 ? 1 : 0;
}

function readRows(file: string): Row[] {
  const lines = readFileSync(file, "utf8").split("\n");
  const rows = lines.filter((line) => line.trim() !== "").map((line): Row => JSON.parse(line));
  const fit = rows.filter((row) => !row.schema_mismatch);
  console.log(
    `${rows.length} rows, ${rows.length - fit.length} left out, because their calls contradict their schema.`,
  );
  return fit;
}

/** Returns what is wrong with the row's calls after writing and reading; undefined when nothing is. */
function comesBack(format: FormatId, row: Row, text: string): string | undefined {
  const calls = row.calls.map((call, index) => ({ id: String(index), ...call }));
  const written = toMessages(format, { text: text.trim(), calls, results: [] })[0]?.content ?? "";
  const found = detect(written, { tools: row.tools.map((tool) => tool.function) });
  const read = found.flatMap((event) =>
    event.type === "tool-call-end" ? [{ name: event.name, arguments: event.arguments }] : [],
  );
  if (isDeepStrictEqual(read, row.calls)) return undefined;
  return `\n    written ${JSON.stringify(written)}\n    wanted  ${JSON.stringify(row.calls)}\n    read    ${JSON.stringify(read)}`;
}

function inQuestions(rows: readonly Row[], options: BfclOptions): number {
  let invented = 0;
  let asked = 0;
  for (const row of rows.filter((one) => one.calls.length === 0)) {
    asked += 1;
    const text = row.question.map((message) => message.content).join("\n\n");
    invented += callsIn(
      text,
      row.tools.map((tool) => tool.function),
      row.id,
      options,
    );
  }
  console.log(`${asked} questions that need no call: ${invented} invented`);
  return invented;
}

/**
 * Reads documents and sources as replies. On offer are the tools of the benchmark's first 40 rows and some of the project's
 * own. Resolves to the number of calls found, which are all invented.
 */
async function inOwnTexts(rows: readonly Row[], options: BfclOptions): Promise<number> {
  const root = join(import.meta.dirname, "../..");
  const own = ["read_file", "write_file", "ls", "bash", "grep_search", "edit_file"].map((name) => ({ name }));
  const foreign = rows.slice(0, 40).flatMap((row) => row.tools.map((tool) => tool.function));
  let bytes = 0;
  let files = 0;
  let invented = 0;
  const patterns = [
    "*.md",
    "docs/**/*.md",
    "packages/*/*.md",
    "packages/*/src/**/*.ts",
    "packages/*/test/**/*.ts",
    "{bench,scripts,examples,test}/**/*.ts",
  ];
  for await (const file of glob(patterns, { cwd: root, exclude: (name) => name.includes("node_modules") })) {
    const text = readFileSync(join(root, file), "utf8");
    bytes += Buffer.byteLength(text);
    files += 1;
    invented += callsIn(text, [...own, ...foreign], file, options);
  }
  console.log(`${files} documents and sources of the project, ${bytes} bytes: ${invented} invented`);
  return invented;
}

function callsIn(text: string, tools: readonly ToolSchema[], where: string, options: BfclOptions): number {
  const calls = detect(text, { tools }).filter((event) => event.type === "tool-call-end");
  if (options.failed) {
    for (const call of calls) console.log(`  invented in ${where}: ${JSON.stringify(call)}`);
  }
  return calls.length;
}

/** `read_file`: returns the lines of a text file, or a range of them, with their numbers. */
import type { Stats } from "node:fs";
import type { Curator } from "@localharness/engine";
import {
  type CallFacts,
  defineTool,
  type LineRange,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import { defined, type JsonObject } from "@localharness/protocol";
import { holdToExamined } from "@localharness/workspace/changes/hold-to-examined";
import { cutLine, cutLines } from "@localharness/workspace/cut-text";
import { type LoadedText, loadText } from "@localharness/workspace/edits/load-text";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { bareLine, splitLines } from "@localharness/workspace/files/lines";
import type { ReadLedger } from "@localharness/workspace/files/read-ledger";
import { showRanges } from "@localharness/workspace/files/show-ranges";
import { type Outcome, refused } from "@localharness/workspace/outcome";
import type { OpenFile } from "@localharness/workspace/paths/handles";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { lineStartAliases, pathAliases } from "../parts/aliases.ts";
import { numberArgument, textArgument } from "../parts/arguments.ts";
import type { Keeping } from "../parts/cut-result.ts";

interface Parts extends PathExaminer, Keeping {
  readonly workspace: Workspace;
  readonly ledger: ReadLedger;
  readonly curator?: Curator;
}

const maxLines = 2000;
const maxLineChars = 2000;
/** The curator is not asked about a file with at most this many lines. */
const maxWholeLines = 100;

export function readFile(resources: Parts): Tool {
  return defineTool({
    name: "read_file",
    description: "Read a text file with line numbers. offset and limit select lines.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", format: "path", description: "relative to the workspace" },
        offset: { type: "integer", description: "first line, from 1" },
        limit: { type: "integer" },
        end_line: { type: "integer" },
      },
      required: ["path"],
    },
    aliases: ["read", "view", "cat", "open_file", "view_file", "get_file", "load_file"],
    parameterAliases: {
      path: pathAliases,
      offset: lineStartAliases,
      limit: ["max_lines", "num_lines", "line_count", "lines", "count"],
      end_line: ["line_end", "end", "to_line"],
    },
    risk: "medium",
    readOnly: true,
    fingerprint: async (args) => fingerprint(resources, textArgument(args, "path") ?? ""),
    examine: (args) => examineRead(resources, textArgument(args, "path") ?? ""),
    execute: (args, context) => read(holdToExamined(resources, context), args, context),
  });
}

/** Returns the facts about a read. A stored command output is outside the workspace and not subject to path rules. */
function examineRead(resources: Parts, path: string): CallFacts {
  return resources.outputs.owns(path) ? { looks: true } : resources.examinePaths([{ path, access: "read" }]);
}

async function read(resources: Parts, args: JsonObject, context: ToolContext): Promise<ToolOutput> {
  const opened = openReadable(resources, textArgument(args, "path") ?? "");
  if (!opened.ok) return opened;
  using file = opened.value;
  const loaded = await loadText(file);
  if (!loaded.ok) return loaded;
  const { path, bytes } = loaded.value;
  const curated = await curate(resources, args, loaded.value, context);
  if (curated !== undefined) {
    await resources.ledger.readPart(path, bytes, curated.shown);
    return curated.output;
  }
  const range = rangeOf(args);
  const output = showLines(loaded.value, range, resources.resultLimit());
  if (output.ok) {
    await (resources.ledger.knowsPart(path)
      ? resources.ledger.readPart(path, bytes, [shownBy(loaded.value, range, output.data)])
      : resources.ledger.read(path, bytes));
  }
  return output;
}

/**
 * Returns the output with the lines that the curator chooses, and their ranges. Returns undefined without a curator, for a
 * range, a short file or a stored output, and if the curator chooses none.
 */
async function curate(
  { curator, outputs, resultLimit }: Parts,
  args: JsonObject,
  file: LoadedText,
  { signal, report, aside }: ToolContext,
): Promise<{ readonly output: ToolOutput; readonly shown: readonly LineRange[] } | undefined> {
  const isRange = ["offset", "limit", "end_line"].some((name) => args[name] !== undefined);
  if (curator === undefined || isRange || outputs.owns(textArgument(args, "path") ?? "")) return undefined;
  const lines = splitLines(file.text).map(bareLine);
  if (lines.length <= maxWholeLines) return undefined;
  const curation = await curator.curate(lines, {
    signal,
    report,
    resultLimit: resultLimit(),
    ...defined({ aside }),
  });
  if (curation === undefined) return undefined;
  const { text, shown } = showRanges(lines, curation.ranges, resultLimit(), maxLineChars);
  const encoding = file.encoding === "utf-8" ? [] : [`encoding: ${file.encoding}`];
  const notes = [...encoding, `${curation.reason} An edit needs lines that were shown.`];
  return { output: { ok: true, data: text, notes }, shown };
}

/** Returns the range of lines in a text that `showLines` has written. */
function shownBy(file: LoadedText, range: ShownRange, data: string): LineRange {
  const total = splitLines(file.text).length;
  const first = range.first < 0 ? Math.max(total + range.first, 0) + 1 : range.first;
  const last = Number(/\[showing \d+-(\d+) of \d+[^\n]*\]$/.exec(data)?.[1] ?? total);
  return { first, last };
}

/** Opens a file of the workspace, or a stored command output. */
function openReadable(resources: Parts, path: string): Outcome<OpenFile> {
  return resources.outputs.owns(path) ? resources.outputs.open(path) : resources.workspace.openFile(path);
}

interface ShownRange {
  readonly first: number;
  readonly count: number;
}

function rangeOf(args: JsonObject): ShownRange {
  const first = numberArgument(args, "offset") ?? 1;
  const limit = numberArgument(args, "limit") ?? Number.POSITIVE_INFINITY;
  const end = numberArgument(args, "end_line") ?? Number.POSITIVE_INFINITY;
  // Models that count from 0 mean the first line.
  const start = first === 0 ? 1 : first;
  return { first: start, count: Math.min(limit, end - start + 1) };
}

function showLines(file: LoadedText, range: ShownRange, resultLimit: number): ToolOutput {
  const lines = splitLines(file.text);
  const notes = file.encoding === "utf-8" ? [] : [`encoding: ${file.encoding}`];
  if (lines.length === 0) return { ok: true, data: "[the file is empty]", notes };
  const fromEnd = range.first < 0 ? Math.max(lines.length + range.first, 0) : range.first - 1;
  if (fromEnd >= lines.length || range.count < 1) {
    return refused(
      "validation_failed",
      `"${file.path}" has the lines 1 to ${lines.length}; the range asked for holds none of them. Give an offset from 1 to ${lines.length} and a limit of at least 1.`,
    );
  }
  const wanted = lines.slice(fromEnd, fromEnd + Math.min(range.count, maxLines));
  const numbered = wanted.map(
    (line, index) => `${fromEnd + index + 1}: ${cutLine(bareLine(line), maxLineChars)}`,
  );
  const { count, text } = cutLines(numbered, resultLimit);
  const isCut = wanted.slice(0, count).some((line) => bareLine(line).length > maxLineChars);
  const last = fromEnd + count;
  const complete = fromEnd === 0 && last === lines.length;
  const rest = last < lines.length ? `, continue with offset=${last + 1}` : "";
  const ending = complete ? "" : `\n[showing ${fromEnd + 1}-${last} of ${lines.length}${rest}]`;
  return { ok: true, data: text + ending, notes: isCut ? [...notes, longLineNote] : notes };
}

const longLineNote = `lines are cut after ${maxLineChars} characters: grep_search finds text in the rest of a line, and bash with cut -c shows it`;

/**
 * Returns a text that changes with the content of the file and, by `ctime`, with its permissions; undefined if there is no
 * regular file. Does not read the file.
 */
function fingerprint(resources: Parts, path: string): string | undefined {
  const stats = resources.outputs.owns(path) ? statsOfOutput(resources, path) : statsIn(resources, path);
  if (stats?.isFile() !== true) return undefined;
  return `${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

function statsIn({ workspace }: Parts, path: string): Stats | undefined {
  const place = workspace.locate(path);
  return place.ok ? place.value.stats : undefined;
}

function statsOfOutput({ outputs }: Parts, path: string): Stats | undefined {
  const opened = outputs.open(path);
  if (!opened.ok) return undefined;
  using file = opened.value;
  return file.stats;
}

/** `ls`: lists the entries of one folder as a table. */
import { lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { folderAliases } from "../aliases.ts";
import { flagArgument, folderArgument, numberArgument, textArgument } from "../arguments.ts";
import { cutRows } from "../cut-result.ts";
import { found, type Outcome, refused, systemFailure } from "../outcome.ts";
import type { ToolResources } from "../resources.ts";
import { humanSize, localMinute, printableName } from "../show.ts";
import { examinePaths } from "../workspace/examine-paths.ts";
import type { Directory } from "../workspace/handles.ts";
import { holdToExamined } from "../workspace/hold-to-examined.ts";

const defaultEntries = 500;
const maxEntries = 1000;

export function ls(resources: ToolResources): Tool {
  return defineTool({
    name: "ls",
    description: "List a folder with types, sizes and times.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", format: "path" },
        show_hidden: { type: "boolean" },
        sort_by: { type: "string", enum: ["name", "size", "modified"] },
        reverse: { type: "boolean" },
        max_entries: { type: "integer" },
      },
    },
    aliases: ["list_dir", "list_directory", "list_files", "list_folder", "dir", "listdir"],
    parameterAliases: {
      path: folderAliases,
      show_hidden: ["all", "hidden", "include_hidden"],
      sort_by: ["sort"],
      max_entries: ["limit", "max_results"],
    },
    risk: "safe",
    readOnly: true,
    fingerprint: async (args) => fingerprint(resources, args),
    examine: (args) =>
      examinePaths(resources.workspace, [{ path: folderArgument(args), access: "read", namesOnly: true }]),
    execute: async (args, context) => list(holdToExamined(resources, context), args),
  });
}

interface Row {
  readonly name: string;
  readonly stats: Stats | undefined;
  readonly target: string | undefined;
}

function list(resources: ToolResources, args: JsonObject): ToolOutput {
  const most = numberArgument(args, "max_entries") ?? defaultEntries;
  if (most < 1) {
    return refused(
      "validation_failed",
      `max_entries is ${most}, a number from 1 to ${maxEntries} was expected.`,
    );
  }
  const path = folderArgument(args);
  const rows = rowsOf(resources, path, flagArgument(args, "show_hidden"));
  if (!rows.ok) return rows;
  const sorted = sortRows(rows.value, textArgument(args, "sort_by") ?? "name", flagArgument(args, "reverse"));
  const shown = sorted.slice(0, Math.min(most, maxEntries));
  const summary = summaryOf(sorted);
  if (sorted.length === 0) return { ok: true, data: `The folder is empty${hiddenHint(args)}.\n${summary}` };
  const table = [header, ...shown.map(printRow)].join("\n");
  const cut = cutRows(resources, table, "use max_entries, sort_by or a subfolder");
  const rest =
    sorted.length > shown.length
      ? `\n[showing ${shown.length} of ${sorted.length}, use max_entries for more]`
      : "";
  return { ok: true, data: `${cut}${rest}\n\n${summary}` };
}

function hiddenHint(args: JsonObject): string {
  return flagArgument(args, "show_hidden") ? "" : " (hidden entries are not shown, use show_hidden)";
}

function rowsOf(resources: ToolResources, path: string, hidden: boolean): Outcome<readonly Row[]> {
  const opened = resources.workspace.openDirectory(path);
  if (!opened.ok) return opened;
  using directory = opened.value;
  try {
    const names = readdirSync(directory.base).filter((name) => hidden || !name.startsWith("."));
    return found(names.map((name) => rowOf(directory, name)));
  } catch (error) {
    return systemFailure(error, path);
  }
}

function rowOf(directory: Directory, name: string): Row {
  try {
    const stats = lstatSync(directory.at(name), { throwIfNoEntry: false });
    return {
      name,
      stats,
      target: stats?.isSymbolicLink() === true ? readlinkSync(directory.at(name)) : undefined,
    };
  } catch {
    return { name, stats: undefined, target: undefined };
  }
}

function sortRows(rows: readonly Row[], by: string, reverse: boolean): readonly Row[] {
  const byName = (one: Row, other: Row) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0);
  const size = (row: Row) => (row.stats?.isFile() === true ? row.stats.size : 0);
  const time = (row: Row) => row.stats?.mtimeMs ?? 0;
  const sorted = [...rows].sort((one, other) => {
    const difference =
      by === "size" ? size(one) - size(other) : by === "modified" ? time(one) - time(other) : 0;
    return difference === 0 ? byName(one, other) : difference;
  });
  return reverse ? sorted.reverse() : sorted;
}

const header = `${"TYPE".padEnd(5)} ${"SIZE".padStart(9)}  ${"MODIFIED".padEnd(16)}  NAME`;

function printRow(row: Row): string {
  const type = typeOf(row.stats);
  const size = type === "FILE" ? humanSize(row.stats?.size ?? 0) : "-";
  const time = row.stats === undefined ? "?" : localMinute(row.stats.mtime);
  const name = printableName(row.name);
  const target = row.target === undefined ? "" : ` -> ${printableName(row.target)}`;
  return `${type.padEnd(5)} ${size.padStart(9)}  ${time.padEnd(16)}  ${type === "DIR" ? `${name}/` : name}${target}`;
}

function typeOf(stats: Stats | undefined): string {
  if (stats === undefined) return "?";
  if (stats.isDirectory()) return "DIR";
  if (stats.isFile()) return "FILE";
  if (stats.isSymbolicLink()) return "LINK";
  return stats.isFIFO() ? "FIFO" : stats.isSocket() ? "SOCK" : "DEV";
}

function summaryOf(rows: readonly Row[]): string {
  const files = rows.filter((row) => row.stats?.isFile() === true);
  const folders = rows.filter((row) => row.stats?.isDirectory() === true).length;
  const others = rows.length - files.length - folders;
  const bytes = files.reduce((sum, row) => sum + (row.stats?.size ?? 0), 0);
  const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;
  const counted = [
    plural(files.length, "file", "files"),
    plural(folders, "directory", "directories"),
    ...(others > 0 ? [plural(others, "other", "others")] : []),
  ];
  return `${counted.join(", ")}, ${humanSize(bytes)} total`;
}

function fingerprint(resources: ToolResources, args: JsonObject): string | undefined {
  const rows = rowsOf(resources, folderArgument(args), true);
  return rows.ok
    ? rows.value
        .map((row) => `${row.name}\0${row.stats?.ino}\0${row.stats?.size}\0${row.stats?.mtimeMs}`)
        .join("\n")
    : undefined;
}

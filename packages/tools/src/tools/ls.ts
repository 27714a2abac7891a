/** `ls`: lists the entries of one folder as a table. */

import { type Dirent, lstatSync, readdirSync, readlinkSync, type Stats } from "node:fs";
import { defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { holdToExamined } from "@localharness/workspace/changes/hold-to-examined";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { found, type Outcome, refused, systemFailure } from "@localharness/workspace/outcome";
import type { Directory } from "@localharness/workspace/paths/handles";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { humanSize, localMinute, printableName } from "@localharness/workspace/show";
import { folderAliases } from "../parts/aliases.ts";
import { flagArgument, folderArgument, numberArgument, textArgument } from "../parts/arguments.ts";
import type { Keeping } from "../parts/cut-result.ts";
import { cutRows } from "../parts/cut-result.ts";

interface Parts extends PathExaminer, Keeping {
  readonly workspace: Workspace;
}

const defaultEntries = 500;
const maxEntries = 1000;
/** The maximum number of entries of which all are looked at. Of more, sorted by name, only those that are shown are. */
const maxStats = 10_000;

export function ls(resources: Parts): Tool {
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
      resources.examinePaths([{ path: folderArgument(args), access: "read", namesOnly: true }]),
    execute: async (args, context) => list(holdToExamined(resources, context), args),
  });
}

interface Row {
  /** The name as it is shown. A name that is not UTF-8 has its other bytes as escapes such as `\\xff`. */
  readonly name: string;
  readonly type: string;
  /** Undefined if the entry cannot be looked at, or was not. */
  readonly stats: Stats | undefined;
  readonly target: string | undefined;
}

function list(resources: Parts, args: JsonObject): ToolOutput {
  const most = numberArgument(args, "max_entries") ?? defaultEntries;
  if (most < 1) {
    return refused(
      "validation_failed",
      `max_entries is ${most}, a number from 1 to ${maxEntries} was expected.`,
    );
  }
  const rows = rowsOf(resources, args);
  if (!rows.ok) return rows;
  const sorted = rows.value;
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

function rowsOf(resources: Parts, args: JsonObject): Outcome<readonly Row[]> {
  const path = folderArgument(args);
  const opened = resources.workspace.openDirectory(path);
  if (!opened.ok) return opened;
  using directory = opened.value;
  try {
    const dot = ".".charCodeAt(0);
    const entries = readdirSync(directory.base, { withFileTypes: true, encoding: "buffer" }).filter(
      ({ name }) => flagArgument(args, "show_hidden") || name[0] !== dot,
    );
    const by = textArgument(args, "sort_by") ?? "name";
    const reverse = flagArgument(args, "reverse");
    if (entries.length <= maxStats || by !== "name") {
      return found(
        sortRows(
          entries.map((entry) => rowOf(directory, entry)),
          by,
          reverse,
        ),
      );
    }
    const named = entries.map((entry) => ({ ...unseenRow(entry), entry }));
    return found(
      sortRows(named, by, reverse).map((row, at) => (at < maxEntries ? rowOf(directory, row.entry) : row)),
    );
  } catch (error) {
    return systemFailure(error, path);
  }
}

type Entry = Dirent<NonSharedBuffer>;

function rowOf(directory: Directory, entry: Entry): Row {
  const unseen = unseenRow(entry);
  try {
    const path = pathOf(directory, entry.name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    const target = stats?.isSymbolicLink() === true ? textOf(readlinkSync(path, "buffer")) : undefined;
    return { ...unseen, type: stats === undefined ? "?" : typeOf(stats), stats, target };
  } catch {
    return { ...unseen, type: "?" };
  }
}

function unseenRow(entry: Entry): Row {
  return { name: textOf(entry.name), type: typeOf(entry), stats: undefined, target: undefined };
}

/** Returns the path of an entry, as bytes if its name is not UTF-8. */
function pathOf(directory: Directory, name: NonSharedBuffer): string | Buffer {
  const text = name.toString("utf8");
  if (isWhole(text, name)) return directory.at(text);
  return Buffer.concat([Buffer.from(directory.at("x").slice(0, -1)), name]);
}

function textOf(name: NonSharedBuffer): string {
  const text = name.toString("utf8");
  if (isWhole(text, name)) return text;
  return [...name]
    .map((byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`))
    .join("");
}

/** Returns true if the bytes are UTF-8. */
function isWhole(text: string, bytes: NonSharedBuffer): boolean {
  return !text.includes("\ufffd") || Buffer.from(text).equals(bytes);
}

function sortRows<Kind extends Row>(rows: readonly Kind[], by: string, reverse: boolean): readonly Kind[] {
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
  const { type } = row;
  const size = type === "FILE" ? humanSize(row.stats?.size ?? 0) : "-";
  const time = row.stats === undefined ? "?" : localMinute(row.stats.mtime);
  const name = printableName(row.name);
  const target = row.target === undefined ? "" : ` -> ${printableName(row.target)}`;
  return `${type.padEnd(5)} ${size.padStart(9)}  ${time.padEnd(16)}  ${type === "DIR" ? `${name}/` : name}${target}`;
}

function typeOf(
  stats: Pick<Stats, "isDirectory" | "isFile" | "isSymbolicLink" | "isFIFO" | "isSocket">,
): string {
  if (stats.isDirectory()) return "DIR";
  if (stats.isFile()) return "FILE";
  if (stats.isSymbolicLink()) return "LINK";
  return stats.isFIFO() ? "FIFO" : stats.isSocket() ? "SOCK" : "DEV";
}

function summaryOf(rows: readonly Row[]): string {
  const files = rows.filter((row) => row.type === "FILE");
  const folders = rows.filter((row) => row.type === "DIR").length;
  const others = rows.length - files.length - folders;
  const bytes = files.reduce((sum, row) => sum + (row.stats?.size ?? 0), 0);
  const counted = [
    countText(files.length, "file"),
    countText(folders, "directory", "directories"),
    ...(others > 0 ? [countText(others, "other")] : []),
  ];
  if (files.some((row) => row.stats === undefined)) return `${counted.join(", ")}, sizes not added up`;
  return `${counted.join(", ")}, ${humanSize(bytes)} total`;
}

function fingerprint(resources: Parts, args: JsonObject): string | undefined {
  const rows = rowsOf(resources, args);
  return rows.ok
    ? rows.value
        .map(
          (row) => `${row.name}\0${row.type}\0${row.stats?.ino}\0${row.stats?.size}\0${row.stats?.mtimeMs}`,
        )
        .join("\n")
    : undefined;
}

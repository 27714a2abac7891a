/** Reads the results of the built-in tools into the views that show them: a table, numbered lines, a terminal. Pure. */
import {
  argumentLines,
  type CallItem,
  isJsonObject,
  type JsonObject,
  type PermissionAnswer,
  readCommandEnd,
} from "@localharness/protocol";

export type CallView =
  | { readonly kind: "terminal"; readonly command: string; readonly output: string; readonly end: string }
  | { readonly kind: "file"; readonly lines: readonly NumberedLine[]; readonly rest: string }
  | { readonly kind: "list"; readonly rows: readonly ListRow[]; readonly summary: string }
  | {
      readonly kind: "matches";
      readonly head: string;
      readonly files: readonly FileMatches[];
      readonly rest: string;
    }
  | { readonly kind: "text"; readonly text: string };

export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

export interface ListRow {
  readonly type: string;
  readonly size: string;
  readonly modified: string;
  readonly name: string;
}

export interface FileMatches {
  readonly path: string;
  readonly lines: readonly NumberedLine[];
}

/** Returns the view of a result's data. Data of another shape than expected is text. */
export function callView(item: CallItem): CallView {
  const data = item.result?.data ?? "";
  const text: CallView = { kind: "text", text: data };
  switch (item.toolName) {
    case "bash":
      return terminalOf(item, data);
    case "read_file":
      return fileOf(data) ?? text;
    case "ls":
      return listOf(data) ?? text;
    case "grep_search":
      return matchesOf(data) ?? text;
    default:
      return text;
  }
}

function terminalOf(item: CallItem, data: string): CallView {
  const args = argumentsOf(item);
  const command = typeof args["command"] === "string" ? args["command"] : "";
  const { line, output } = item.result?.success === true ? readCommandEnd(data) : { line: "", output: data };
  return { kind: "terminal", command, output: output.trimEnd(), end: line };
}

const numbered = /^(\d+): ?(.*)$/s;

function fileOf(data: string): CallView | undefined {
  const all = data.split("\n");
  const end = all.findIndex((line) => !numbered.test(line));
  const own = end === -1 ? all : all.slice(0, end);
  if (own.length === 0) return undefined;
  const rest = end === -1 ? "" : all.slice(end).join("\n").trim();
  return { kind: "file", lines: own.map(lineOf), rest };
}

function lineOf(line: string): NumberedLine {
  const [, number = "0", text = line] = numbered.exec(line) ?? [];
  return { number: Number(number), text };
}

function listOf(data: string): CallView | undefined {
  const [head = "", ...lines] = data.split("\n");
  if (!/^TYPE\s+SIZE\s+MODIFIED\s+NAME/.test(head)) return undefined;
  const row = /^([A-Z]{3,4})\s+(-|[\d.]+ [KMGT]?B)\s{2}(\S+ \S+|-)\s+(.*)$/;
  const rows: ListRow[] = [];
  const rest: string[] = [];
  for (const line of lines) {
    const [, type, size = "", modified = "", name = ""] = row.exec(line) ?? [];
    if (type === undefined) rest.push(line);
    else rows.push({ type, size, modified, name });
  }
  return { kind: "list", rows, summary: rest.join("\n").trim() };
}

function matchesOf(data: string): CallView | undefined {
  const [head = "", ...lines] = data.split("\n");
  if (!/^\d[\d,]* match/.test(head)) return undefined;
  const files: { path: string; lines: NumberedLine[] }[] = [];
  const rest: string[] = [];
  for (const line of lines) {
    const [, path, number, text = ""] = /^(.+?):(\d+): ?(.*)$/.exec(line) ?? [];
    if (path === undefined) {
      if (line.trim() !== "") rest.push(line);
      continue;
    }
    let file = files.at(-1);
    if (file?.path !== path) {
      file = { path, lines: [] };
      files.push(file);
    }
    file.lines.push({ number: Number(number), text });
  }
  return { kind: "matches", head, files, rest: rest.join("\n") };
}

/** Returns the arguments as an object; JSON text is parsed, and other text becomes an empty object. */
export function argumentsOf({ arguments: given }: Pick<CallItem, "arguments">): JsonObject {
  if (typeof given !== "string") return given;
  try {
    const value: unknown = JSON.parse(given);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The maximum length of the text of one argument, in UTF-16 units. */
const maxArgumentChars = 32_000;

/** Returns the text of each argument as a permission question has it, cut if it is long. Leaves out what the diff shows. */
export function shownArguments(item: Pick<CallItem, "arguments" | "diff">): readonly string[] {
  return Object.entries(argumentsOf(item))
    .map(([key, value]) => {
      // The diff is compared with the whole value.
      const isShown = item.diff === undefined && typeof value === "string";
      const given = isShown ? value.slice(0, maxArgumentChars) : value;
      return argumentLines({ [key]: given }, item.diff)
        .join("\n")
        .slice(0, maxArgumentChars);
    })
    .filter((text) => text !== "");
}

const telling = [
  "command",
  "path",
  "file_path",
  "pattern",
  "query",
  "url",
  "message",
  "content",
  "task",
  "prompt",
];

/** Returns at most 300 characters of the argument that says most about a call; empty if no argument is a text. */
export function summaryOf(item: Pick<CallItem, "arguments">): string {
  const args = argumentsOf(item);
  const keys = [...telling, ...Object.keys(args)];
  const found = keys.map((key) => args[key]).find((value) => typeof value === "string" && value !== "");
  return typeof found === "string" ? found.slice(0, 300) : "";
}

export type CallLook = "writing" | "waiting" | "asked" | "running" | "done" | "failed" | "denied";

/** Returns how a call is marked. A command that ran but failed is marked as failed. */
export function lookOf(item: CallItem): CallLook {
  const { state, result } = item;
  if (state !== "done" || result === undefined) return state === "done" ? "done" : state;
  if (item.answer === "deny" || result.error_type === "permission_denied") return "denied";
  if (!result.success) return "failed";
  return item.toolName === "bash" && readCommandEnd(result.data ?? "").failed ? "failed" : "done";
}

/** The words for each answer to a permission question. */
export const answerWords: Readonly<Record<PermissionAnswer, string>> = {
  once: "allowed once",
  session: "allowed for this session",
  remember: "allowed from now on",
  deny: "denied",
};

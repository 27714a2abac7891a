/** Returns lines for items that are not text: calls, results, progress of agents, retries, notices and errors. */
import {
  type CallItem,
  countText,
  type Item,
  type ItemOf,
  readCommandEnd,
  sizeText,
  type TimelineChange,
  type ToolResult,
} from "@localharness/protocol";
import type { Paint } from "./output.ts";
import { argumentsText } from "./permission-text.ts";
import { joinedLine, visibleLine, visibleLines } from "./plain-text.ts";

/** Returns the line for a change, or several lines if it has notes or breaks; undefined for a change that gets none. */
export function changeLine(change: TimelineChange, paint: Paint): string | undefined {
  if (change.kind !== "put") return undefined;
  const { item, before } = change;
  switch (item.kind) {
    case "call":
      return callLineAfter(item, before, paint);
    case "unreadable":
      return paint.yellow(`! unreadable tool call (${item.reason}): ${clip(item.message, 200)}`);
    case "notice":
      return noticeLine(item, paint);
    case "end":
      return item.reason === "error"
        ? paint.red(`error: ${visibleLines(item.message ?? "unknown")}`)
        : undefined;
    default:
      return undefined;
  }
}

function noticeLine({ level, text, code }: ItemOf<"notice">, paint: Paint): string {
  if (code === "model-retry") return paint.yellow(`… ${clip(text, 300)}`);
  return level === "warning" ? paint.yellow(`! ${visibleLines(text)}`) : paint.dim(`· ${visibleLines(text)}`);
}

function callLineAfter(item: CallItem, before: Item | undefined, paint: Paint): string | undefined {
  if (item.result !== undefined) return resultLine(item, item.result, paint);
  if (item.state !== "running") return undefined;
  const earlier = before?.kind === "call" ? before.state : "waiting";
  if (earlier === "waiting") return callLine(item, paint);
  // Only the progress of agents is printed. The progress of a command would give one line for each line of its output.
  return earlier === "running" && item.agent !== undefined
    ? paint.dim(`    ${visibleLine(item.agent)} ${clip(item.progress, 200)}`)
    : undefined;
}

function callLine({ toolName, arguments: args }: CallItem, paint: Paint): string {
  const text =
    typeof args === "string" || Object.keys(args).length === 0
      ? ""
      : ` ${argumentsText(args, false, 140).text}`;
  return `${paint.bold(`→ ${visibleLine(toolName)}`)}${paint.dim(text)}`;
}

/** The tools whose result has its summary in the last line. */
const summaryAtEnd: ReadonlySet<string> = new Set(["ls"]);

function resultLine({ toolName, why = "" }: CallItem, result: ToolResult, paint: Paint): string {
  const { execution_time_ms: ms } = result.metadata;
  const name = visibleLine(toolName);
  const notes = (result.notes ?? []).map((note) => `\n    note: ${clip(note, 200)}`).join("");
  if (!result.success) {
    return `${paint.red(`  ✗ ${name} ${result.error_type}:`)} ${clip(why, 300)}${paint.dim(notes)}`;
  }
  const lines = (result.data ?? "").trim().split("\n");
  const first = clip((summaryAtEnd.has(toolName) ? lines.at(-1) : lines[0]) ?? "", 100);
  const more = lines.length - 1;
  const end = toolName === "bash" ? readCommandEnd((result.data ?? "").trimEnd()) : undefined;
  const part = end?.wholeBytes === undefined ? "" : `, ${sizeText(end.wholeBytes)} in all`;
  const rest = more > 0 ? ` … ${countText(more, "more line")}${part}` : "";
  const failure = end?.failed === true ? end.line : undefined;
  const mark = failure === undefined ? paint.green(`  ✓ ${name}`) : paint.red(`  ✗ ${name} ${failure}:`);
  return `${mark} ${first}${paint.dim(`${rest} (${ms} ms)${notes}`)}`;
}

function clip(text: string, limit: number): string {
  const line = joinedLine(text);
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}

/** Returns lines for events that are not text: calls, results, progress of agents, retries, notices and errors. */
import {
  type JsonObject,
  readCommandEnd,
  type SessionEvent,
  sizeText,
  type ToolResult,
} from "@localharness/protocol";
import type { Paint } from "./output.ts";
import { argumentsText } from "./permission-text.ts";
import { visibleLine } from "./plain-text.ts";

/** Returns the line for an event, or several lines if it has notes or breaks; undefined for an event that gets none. */
export function eventLine(event: SessionEvent, paint: Paint): string | undefined {
  switch (event.type) {
    case "tool-start":
      return callLine(event.toolName, event.arguments, paint);
    case "tool-result":
      return resultLine(event.toolName, event.result, paint);
    case "tool-progress":
      // Only the progress of agents is printed. The progress of a command would give one line for each line of its
      // output.
      return event.agent === undefined
        ? undefined
        : paint.dim(`    ${visibleLine(event.agent)} ${clip(event.text, 200)}`);
    case "tool-call-error":
      return paint.yellow(`! unreadable tool call (${event.reason}): ${clip(event.message, 200)}`);
    case "model-retry":
      return paint.yellow(`… ${clip(event.message, 300)}`);
    case "notice":
      return event.level === "warning"
        ? paint.yellow(`! ${visible(event.message)}`)
        : paint.dim(`· ${visible(event.message)}`);
    case "turn-end":
      return event.reason === "error"
        ? paint.red(`error: ${visible(event.message ?? event.code ?? "unknown")}`)
        : undefined;
    default:
      return undefined;
  }
}

function callLine(toolName: string, args: JsonObject, paint: Paint): string {
  const text = Object.keys(args).length === 0 ? "" : ` ${argumentsText(args, false, 140).text}`;
  return `${paint.bold(`→ ${visibleLine(toolName)}`)}${paint.dim(text)}`;
}

/** The tools whose result has its summary in the last line. */
const summaryAtEnd: ReadonlySet<string> = new Set(["ls"]);

function resultLine(toolName: string, result: ToolResult, paint: Paint): string {
  const { execution_time_ms: ms } = result.metadata;
  const name = visibleLine(toolName);
  const notes = (result.notes ?? []).map((note) => `\n    note: ${clip(note, 200)}`).join("");
  if (!result.success) {
    return `${paint.red(`  ✗ ${name} ${result.error_type}:`)} ${clip(result.error_message ?? "", 300)}${paint.dim(notes)}`;
  }
  const lines = (result.data ?? "").trim().split("\n");
  const first = clip((summaryAtEnd.has(toolName) ? lines.at(-1) : lines[0]) ?? "", 100);
  const more = lines.length - 1;
  const end = toolName === "bash" ? readCommandEnd((result.data ?? "").trimEnd()) : undefined;
  const part = end?.wholeBytes === undefined ? "" : `, ${sizeText(end.wholeBytes)} in all`;
  const rest = more > 0 ? ` … ${more} more line${more === 1 ? "" : "s"}${part}` : "";
  const failure = end?.failed === true ? end.line : undefined;
  const mark = failure === undefined ? paint.green(`  ✓ ${name}`) : paint.red(`  ✗ ${name} ${failure}:`);
  return `${mark} ${first}${paint.dim(`${rest} (${ms} ms)${notes}`)}`;
}

function visible(text: string): string {
  return text.split("\n").map(visibleLine).join("\n");
}

function clip(text: string, limit: number): string {
  const line = visibleLine(text);
  return line.length <= limit ? line : `${line.slice(0, limit)}…`;
}

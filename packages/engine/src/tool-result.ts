/** Creates the results of calls, and the display messages that show these results to people. */

import type { ToolErrorType, ToolResult } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import type { Clock } from "./clock.ts";
import type { ToolOutput } from "./tool.ts";

const encoder = new TextEncoder();

/** Returns the result of a call that ran for `elapsedMs`. */
export function toResult(
  output: ToolOutput,
  clock: Clock,
  elapsedMs: number,
  notes: readonly string[] = [],
): ToolResult {
  const allNotes = [...notes, ...(output.notes ?? [])];
  const data = output.data ?? null;
  return {
    success: output.ok,
    data,
    error_message: output.ok ? null : output.message,
    error_type: output.ok ? "none" : output.errorType,
    metadata: {
      execution_time_ms: Math.max(0, Math.round(elapsedMs)),
      data_size_bytes: data === null ? 0 : encoder.encode(data).length,
      timestamp: clock.now(),
    },
    ...(allNotes.length === 0 ? {} : { notes: allNotes }),
  };
}

/** Returns the result of a call that did not run. */
export function refusal(
  errorType: Exclude<ToolErrorType, "none">,
  message: string,
  clock: Clock,
  notes: readonly string[] = [],
): ToolResult {
  return toResult({ ok: false, errorType, message }, clock, 0, notes);
}

const maxDisplayLines = 8;
const maxDisplayChars = 600;

/** Returns the display message: `[Tool: ls]`, the status, the beginning of the result or of the reason of the failure, notes, and the duration. */
export function displayText(toolName: string, result: ToolResult, why?: string): string {
  const status = result.success ? "✅ SUCCESS" : `❌ FAILED (${result.error_type})`;
  const body = excerpt(result.success ? (result.data ?? "") : (why ?? result.error_message ?? ""));
  const lines = [`[Tool: ${toolName}]`, `Status: ${status}`];
  if (body !== "") lines.push(`${result.success ? "Result" : "Error"}: ${body}`);
  for (const note of result.notes ?? []) lines.push(`Note: ${note}`);
  lines.push(`Execution Time: ${result.metadata.execution_time_ms}ms`);
  return lines.join("\n");
}

function excerpt(text: string): string {
  const head = text.slice(0, maxDisplayChars).split("\n");
  const shown = head.slice(0, maxDisplayLines).join("\n").trimEnd();
  const whole = text.length <= maxDisplayChars && head.length <= maxDisplayLines;
  return whole ? shown : `${shown}\n… (${countText(text.length, "character")})`;
}

/** Builds prompts of calls and results for the tests. */
import type { ModelMessage, ToolResult } from "@localharness/protocol";

export interface Made {
  readonly path: string;
  readonly text?: string;
  readonly error?: string;
}

/** Returns a prompt in which the model called `read_file` for each row. The ids of the calls are `c0`, `c1`, ... */
export function promptOf(rows: readonly Made[]): readonly ModelMessage[] {
  const calls = rows.flatMap(({ path, text, error }, index): ModelMessage[] => [
    {
      role: "assistant",
      content: `step ${index}`,
      toolCalls: [{ id: `c${index}`, name: "read_file", arguments: { path } }],
    },
    { role: "tool", toolCallId: `c${index}`, toolName: "read_file", content: resultOf(text, error) },
  ]);
  return [
    { role: "system", content: "s".repeat(2_000) },
    { role: "user", content: "the task", from: "person" },
    ...calls,
  ];
}

function resultOf(data: string | null = null, error: string | null = null): string {
  const result: ToolResult = {
    success: error === null,
    data,
    error_message: error,
    error_type: error === null ? "none" : "io_error",
    metadata: { execution_time_ms: 1, data_size_bytes: data?.length ?? 0, timestamp: 1 },
  };
  return JSON.stringify(result);
}

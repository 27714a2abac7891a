/** Writes tools, calls and results as text: the other direction of detection. */
import type { FormatId, TextMessage, ToolSchema, Turn } from "./types.ts";

/** Describes the tools on offer and how to call them in the given format. */
export function toPrompt(format: FormatId, tools: readonly ToolSchema[]): string {
  const list = tools.map((tool) => JSON.stringify(tool)).join("\n");
  const first = tools[0];
  const example = first ? `\nTo call a tool, write:\n${exampleCall(format, first)}` : "";
  return `You can call these tools:\n${list}${example}`;
}

/** Writes an assistant turn and its results; each result has the content `TOOL RESULT (name):\n...`. */
export function toMessages(_format: FormatId, turn: Turn): TextMessage[] {
  const calls = turn.calls.map((call) => writeCall(call.name, call.arguments)).join("\n");
  const content = [turn.text, calls].filter((part) => part !== "").join("\n");
  return [
    { role: "assistant", content },
    ...turn.results.map((result) => ({
      role: "tool" as const,
      content: `TOOL RESULT (${result.name}):\n${result.content}`,
      toolCallId: result.id,
    })),
  ];
}

/** A correct call of the tool in the given format, with placeholder values of the right types. */
export function exampleCall(_format: FormatId, tool: ToolSchema): string {
  return writeCall(tool.name, {});
}

function writeCall(name: string, args: object): string {
  return `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;
}

/** Provides the requests that tests of this package send to models. */
import type { ToolDefinition } from "@localharness/engine";
import type { ModelMessage, UserMessage } from "@localharness/protocol";
import { createNodeHttp, type Http } from "../src/index.ts";

export function createTestHttp(): Http {
  return createNodeHttp({ connectMs: 2_000 });
}

export function definition(
  name: string,
  parameters: readonly string[],
  required = parameters,
): ToolDefinition {
  const properties = Object.fromEntries(parameters.map((key) => [key, { type: "string" as const }]));
  return {
    name,
    description: `Does ${name}.`,
    parameters: { type: "object", properties, required: [...required] },
  };
}

export const lsTool = definition("ls", ["path"], []);
export const readTool = definition("read_file", ["path"]);
export const writeTool = definition("write_file", ["path", "content"]);

export function user(content: string): UserMessage {
  return { role: "user", content, from: "person" };
}

/** A transcript with two calls, one of them with arguments that are not JSON. */
export const conversation: readonly ModelMessage[] = [
  { role: "system", content: "Be brief." },
  user("List."),
  {
    role: "assistant",
    content: "",
    reasoning: "I should list.",
    toolCalls: [
      { id: "call_1", name: "ls", arguments: '{"path":"."}' },
      { id: "call_2", name: "ls", arguments: "{broken" },
    ],
  },
  { role: "tool", toolCallId: "call_1", toolName: "ls", content: "a.txt" },
  { role: "tool", toolCallId: "call_2", toolName: "ls", content: "no" },
];

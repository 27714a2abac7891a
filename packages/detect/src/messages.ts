/** Writes tools, calls and results as text for a model. */
import {
  parametersSchema,
  propertyNames,
  propertySchema,
  requiredNames,
  typesOf,
} from "@localharness/schema";
import { formatOf } from "./formats/table.ts";
import type { CallFormat, FormatId, TextMessage, ToolSchema, WrittenTurn } from "./types.ts";
import { exampleArguments } from "./write/example-arguments.ts";
import { around, type WrittenCall } from "./write/written-call.ts";

/** Returns a prompt that describes the tools and how to call them in the format; an empty text for no tools. */
export function toPrompt(format: FormatId, tools: readonly ToolSchema[]): string {
  const [first] = tools;
  if (!first) return "";
  return [
    "You can use these tools:",
    ...tools.map(describeTool),
    "",
    "To use a tool, write a call exactly like this, with your own values:",
    exampleCall(format, first),
    "",
    "Write the call itself, not a description of it and not inside quotes. Then stop and wait: the next message brings the result.",
    "When no tool is needed, answer in plain text.",
  ].join("\n");
}

function describeTool(tool: ToolSchema): string {
  const schema = parametersSchema(tool.parameters);
  const required = new Set(requiredNames(schema));
  const lines = propertyNames(schema).map((name) => {
    const inner = propertySchema(schema, name);
    const types = inner ? [...typesOf(inner)].join(" or ") : "";
    const values = inner?.node["enum"];
    const kind = Array.isArray(values)
      ? values.map((value) => JSON.stringify(value)).join(" | ")
      : types || "any";
    const text = inner?.node["description"];
    const note = typeof text === "string" && text !== "" ? `: ${text}` : "";
    return `    ${name} (${kind}${required.has(name) ? ", required" : ""})${note}`;
  });
  const description = tool.description ? `: ${tool.description}` : "";
  return [`- ${tool.name}${description}`, ...lines].join("\n");
}

/**
 * Returns the messages of an assistant turn and its results. In the first message the calls follow the text. Each result is one
 * message, with the content `TOOL RESULT (name):\n...`.
 */
export function toMessages(format: CallFormat, turn: WrittenTurn): TextMessage[] {
  return [
    { role: "assistant", content: writeReply(format, turn.text, turn.calls) },
    ...turn.results.map((result) => ({
      role: "tool" as const,
      content: `TOOL RESULT (${result.name}):\n${result.content}`,
      toolCallId: result.id,
    })),
  ];
}

/** Returns a correct call of the tool in the format, with invented values of the right types. */
export function exampleCall(format: CallFormat, tool: ToolSchema): string {
  return writeCalls(format, [{ name: tool.name, arguments: exampleArguments(tool) }]);
}

const plain = around("", "");

/** Returns the calls as one text in the format (plain JSON for a custom format); an empty text for no calls. */
export function writeCalls(format: CallFormat, calls: readonly WrittenCall[]): string {
  return calls.length === 0 ? "" : (formatOf(format)?.write ?? plain)(calls);
}

/** Returns words and the calls after them as one text. If the format needs it, marks make the words a separate message. */
export function writeReply(format: CallFormat, words: string, calls: readonly WrittenCall[]): string {
  const written = writeCalls(format, calls);
  if (words === "" || written === "") return words + written;
  const before = formatOf(format)?.writeWords;
  return before ? before(words) + written : `${words}\n${written}`;
}

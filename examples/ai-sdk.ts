/**
 * An AI SDK app with a tool, for a model that may write its calls as text: the middleware turns them into native calls.
 * Run it: BASE_URL=http://127.0.0.1:11434/v1 MODEL=qwen2.5-coder node examples/ai-sdk.ts ["question"]
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { toolCalls } from "@localharness/detect/ai-sdk";
import { isStepCount, jsonSchema, streamText, tool, wrapLanguageModel } from "ai";

const provider = createOpenAICompatible({
  name: "local",
  baseURL: process.env["BASE_URL"] ?? "http://127.0.0.1:11434/v1",
});
const model = wrapLanguageModel({
  model: provider(process.env["MODEL"] ?? "qwen2.5-coder"),
  // For a server that does not accept tools: toolCalls({ mode: "text" }).
  middleware: toolCalls(),
});

const getCurrentTime = tool({
  description: "The current time in a time zone.",
  inputSchema: jsonSchema<{ zone: string }>({
    type: "object",
    properties: { zone: { type: "string", description: "Such as Europe/Vienna." } },
    required: ["zone"],
  }),
  execute: ({ zone }) => new Date().toLocaleString("en-GB", { timeZone: zone }),
});

const result = streamText({
  model,
  tools: { get_current_time: getCurrentTime },
  stopWhen: isStepCount(5),
  prompt: process.argv[2] ?? "What time is it in Vienna?",
});
for await (const part of result.stream) {
  if (part.type === "text-delta") process.stdout.write(part.text);
  if (part.type === "tool-result") console.error(`\n[${part.toolName}] ${part.output}`);
  if (part.type === "error") console.error(part.error);
}
process.stdout.write("\n");

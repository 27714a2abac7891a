/** The results of a prompt with their calls, as each kind of server writes the arguments. */
import type { ModelMessage, ToolCall } from "@localharness/protocol";
import { expect, test } from "vitest";
import { listResults } from "../src/list-results.ts";
import { promptOf } from "./prompt-of.ts";

/** Returns a prompt with one call of `read_file`, which has these arguments. */
function promptWith(args: ToolCall["arguments"]): readonly ModelMessage[] {
  return promptOf([{ path: "a.ts", text: "one" }]).map((message) =>
    message.role === "assistant"
      ? { ...message, toolCalls: (message.toolCalls ?? []).map((call) => ({ ...call, arguments: args })) }
      : message,
  );
}

test.each<[string, ToolCall["arguments"], object, string]>([
  ["an object", { path: "a.ts" }, { path: "a.ts" }, '{"path":"a.ts"}'],
  ["JSON text", '{ "path": "a.ts" }', { path: "a.ts" }, '{"path":"a.ts"}'],
  ["text that is not JSON", "{path: a.ts", {}, "{path: a.ts"],
  ["JSON of another kind", '["a.ts"]', {}, '["a.ts"]'],
  ["no text", "", {}, ""],
])("arguments that are %s", (_what, given, args, text) => {
  expect(listResults(promptWith(given))).toMatchObject([{ args, call: `read_file ${text}` }]);
});

import type { ModelMessage } from "@localharness/protocol";
import { expect, it } from "vitest";
import { createCallIds } from "../../src/answer/call-ids.ts";

const earlier: ModelMessage[] = [
  {
    role: "assistant",
    content: "",
    toolCalls: [
      { id: "call_1", name: "ls", arguments: {} },
      { id: "call_4", name: "ls", arguments: {} },
    ],
  },
];

it.each([
  { messages: [], wanted: ["a", "", undefined, 7, "a"], ids: ["a", "call_2", "call_3", "call_4", "call_5"] },
  { messages: earlier, wanted: ["call_1", "call_9", undefined], ids: ["call_3", "call_9", "call_5"] },
])("gives free ids only ($ids)", ({ messages, wanted, ids }) => {
  const source = createCallIds(messages);
  expect(wanted.map((one) => source.take(one))).toEqual(ids);
});

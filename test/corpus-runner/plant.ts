/** Plants observations: results, questions, requests and rows as a driver would see them. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import type { Observation } from "../../scripts/corpus/attacks/observation.ts";
import type { Row } from "../../scripts/corpus/attacks/row.ts";

export function row(more: Partial<Row>): Row {
  return {
    id: "x-1",
    area: "x",
    kind: "attack",
    family: "f",
    setup: "",
    tool: "shell",
    must: "",
    check: {},
    ...more,
  };
}

export function result(success: boolean, errorType: string, text: string, notes: readonly string[] = []) {
  return { callId: "call_1", success, errorType, text, notes };
}

export const good = result(true, "none", "the text\nexit code: 0");
export const refused = result(false, "permission_denied", "no");
export const question = (command: string) => ({
  tool: "bash",
  text: `Permission Request\n\nTool: bash\nArguments: {"command": "${command}"}\n`,
  short: "",
  answer: "deny" as const,
  answeredAt: 0,
});
export const call = (id: string): JsonObject => ({
  id,
  type: "function",
  function: { name: "ls", arguments: "{}" },
});
export const request = (messages: JsonValue, arrivedAt = 0) => ({
  path: "/v1",
  head: "",
  body: { messages },
  arrivedAt,
});
export const history = (calls: readonly string[], results: readonly string[]) => [
  request([
    { role: "assistant", tool_calls: calls.map(call) },
    ...results.map((id) => ({ role: "tool", tool_call_id: id, content: "{}" })),
  ]),
];

export interface Planted {
  readonly check: JsonObject;
  readonly holds: Partial<Observation>;
  readonly broken: Partial<Observation>;
  readonly row?: Partial<Row>;
}

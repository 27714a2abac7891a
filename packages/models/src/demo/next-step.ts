/**
 * Computes the demo's next step from the request alone. It runs the script for the person's message again over the
 * results so far, to find the stage that is due.
 */
import type { ModelRequest, ToolDefinition } from "@localharness/engine";
import type { AssistantMessage, JsonObject, ModelMessage, ToolMessage } from "@localharness/protocol";
import { argumentsObject, parseObject } from "../answer/arguments-object.ts";
import { finalAnswer } from "./final-answer.ts";
import { callFor, kindOf, toolFor } from "./offered-tools.ts";
import { readRequest } from "./read-request.ts";
import type { Script, Seen, SeenResult } from "./script.ts";

export interface DemoStep {
  readonly say: string;
  /** The calls of this step; empty if the answer is final. */
  readonly calls: readonly { readonly name: string; readonly arguments: JsonObject }[];
}

export function nextStep(request: ModelRequest): DemoStep {
  const { messages, tools } = request;
  const asked = messages.findLastIndex((message) => message.role === "user" && message.from === "person");
  const text = asked === -1 ? "" : (messages[asked]?.content ?? "");
  const since = messages.slice(asked + 1);
  const script = readRequest(text);
  let stage = 0;
  // Each earlier answer with calls came from one stage. The stage after the last of these stages is due.
  for (const place of callPlaces(since)) {
    const due = findStage(script, stage, seenBy(since.slice(0, place), tools), tools);
    if (due !== undefined) stage = due.stage + 1;
  }
  const seen = seenBy(since, tools);
  const due = findStage(script, stage, seen, tools);
  if (due === undefined) return { say: finalAnswer(script, seen, tools), calls: [] };
  const first = callPlaces(since).length === 0;
  const opening = first && script.opening !== undefined ? `${script.opening}\n\n` : "";
  return { say: opening + setbacks(since) + due.say, calls: due.calls };
}

interface Due extends DemoStep {
  readonly stage: number;
}

function findStage(
  script: Script,
  from: number,
  seen: Seen,
  tools: readonly ToolDefinition[],
): Due | undefined {
  for (let stage = from; stage < script.stages.length; stage += 1) {
    const { say, wants } = script.stages[stage] ?? { say: "", wants: () => [] };
    const calls = wants(seen)
      .map((want) => callFor(want, tools))
      .filter((call) => call !== undefined);
    if (calls.length > 0) return { stage, say, calls };
  }
  return undefined;
}

function callPlaces(messages: readonly ModelMessage[]): number[] {
  return messages.flatMap((message, place) =>
    message.role === "assistant" && (message.toolCalls?.length ?? 0) > 0 ? [place] : [],
  );
}

function seenBy(messages: readonly ModelMessage[], tools: readonly ToolDefinition[]): Seen {
  const calls = new Map(
    messages
      .filter((message): message is AssistantMessage => message.role === "assistant")
      .flatMap((message) => message.toolCalls ?? [])
      .map((call) => [call.id, argumentsObject(call.arguments)] as const),
  );
  const results = messages
    .filter((message): message is ToolMessage => message.role === "tool")
    .map((message) => readResult(message, calls.get(message.toolCallId) ?? {}));
  return { results, offers: (kind) => toolFor(kind, tools) !== undefined };
}

function readResult(message: ToolMessage, args: JsonObject): SeenResult {
  const result = parseObject(message.content);
  const base = { kind: kindOf(message.toolName), name: message.toolName, arguments: args };
  if (result === undefined) return { ...base, success: true, text: message.content, errorType: "none" };
  const success = result["success"] === true;
  const text = String((success ? result["data"] : result["error_message"]) ?? "");
  return { ...base, success, text, errorType: String(result["error_type"] ?? "none") };
}

/** Returns one sentence for each failed call of the last answer with calls; empty if none failed. */
function setbacks(since: readonly ModelMessage[]): string {
  const last = callPlaces(since).at(-1);
  if (last === undefined) return "";
  const { results } = seenBy(since.slice(last), []);
  const lines = results
    .filter((result) => !result.success)
    .map((result) =>
      result.errorType === "permission_denied"
        ? `${result.name} was not allowed, so I go on without it.`
        : `${result.name} did not work (${firstLine(result.text)}), so I go on without it.`,
    );
  return lines.length === 0 ? "" : `${lines.join(" ")} `;
}

function firstLine(text: string): string {
  return text.split("\n")[0]?.slice(0, 120) ?? "";
}

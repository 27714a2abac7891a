/**
 * Provides the demo, a model that follows fixed rules and needs no server. Like any other model it sees only the
 * request and streams its answer in small pieces.
 */
import { type FormatId, formats, toMessages } from "@localharness/detect";
import type { Model, ModelRequest } from "@localharness/engine";
import type { JsonObject, ModelEvent } from "@localharness/protocol";
import { createCallIds } from "../answer/call-ids.ts";
import { nextStep } from "./next-step.ts";

/** How the demo makes its calls: as native calls, or as text in a format. */
export type DemoStyle = "native" | FormatId;

const otherNames: ReadonlyMap<string, DemoStyle> = new Map([
  ["text", "ralph-lines"],
  ["lines", "ralph-lines"],
  ["fenced", "fenced-json"],
]);

/** Returns the style for a name such as `hermes` or `text`; undefined if there is none of that name. */
export function demoStyle(name: string): DemoStyle | undefined {
  if (name === "native") return "native";
  return otherNames.get(name) ?? formats.find((row) => row.id === name)?.id;
}

/** Returns the names that are valid in `demo:NAME`. */
export function demoStyleNames(): string[] {
  return ["native", ...otherNames.keys(), ...formats.map((row) => row.id)];
}

const deltaChars = 8;

export function createDemo(style: DemoStyle = "native"): Model {
  return {
    name: style === "native" ? "demo" : `demo:${style}`,
    provider: "demo",
    stream: (request, signal) => stream(request, signal, style),
  };
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
}

async function* stream(
  request: ModelRequest,
  signal: AbortSignal,
  style: DemoStyle,
): AsyncGenerator<ModelEvent> {
  const step = nextStep(request);
  const ids = createCallIds(request.messages);
  const calls = step.calls.map((call) => ({ ...call, id: ids.take() }));
  const written = style === "native" ? step.say : writtenOut(style, step.say, calls);
  for (let from = 0; from < written.length; from += deltaChars) {
    // The pause lets an abort arrive and the screen draw.
    await new Promise(setImmediate);
    if (signal.aborted) {
      yield { type: "model-error", code: "aborted", message: "The request was aborted.", retryable: false };
      return;
    }
    yield { type: "text-delta", text: written.slice(from, from + deltaChars) };
  }
  if (style === "native") yield* nativeCalls(calls);
  yield { type: "model-end", stopReason: style === "native" && calls.length > 0 ? "tool-calls" : "stop" };
}

function writtenOut(style: FormatId, text: string, calls: readonly Call[]): string {
  if (calls.length === 0) return text;
  return toMessages(style, { text, calls, results: [] })
    .map((message) => message.content)
    .join("\n");
}

function* nativeCalls(calls: readonly Call[]): Generator<ModelEvent> {
  for (const [index, call] of calls.entries()) {
    yield { type: "tool-call-start", index, id: call.id, name: call.name };
    yield { type: "tool-call-delta", index, argumentsText: JSON.stringify(call.arguments) };
    yield { type: "tool-call-end", index, ...call };
  }
}

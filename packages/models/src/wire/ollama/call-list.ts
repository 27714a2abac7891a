/** Keeps the calls in an answer of Ollama, and counts the calls beyond the limit. Each call comes in one piece. */
import { defined, type JsonObject, type ModelEvent } from "@localharness/protocol";
import type { CallDelta } from "../../answer/call-delta.ts";
import type { CallIds } from "../../answer/call-ids.ts";
import { createCallsBeyond } from "../../answer/calls-beyond.ts";
import { cutOff, type Ending } from "../../answer/cut-off.ts";
import { createRepeats } from "./repeats.ts";

type CallEnd = Extract<ModelEvent, { type: "tool-call-end" }>;
type Call = CallEnd | Extract<ModelEvent, { type: "tool-call-error" }>;

export interface CallList {
  readonly unkeptChars: number;
  push(delta: CallDelta | undefined, out: ModelEvent[]): void;
  names(): string[];
  /** Returns the ends of all kept calls, and an error event with the number of the others, if there are any. */
  end(ending: Ending): ModelEvent[];
}

export function createCallList(ids: CallIds, maxCalls: number): CallList {
  const calls: Call[] = [];
  const beyond = createCallsBeyond();
  const repeats = createRepeats();

  function keep(delta: CallDelta, out: ModelEvent[]): void {
    repeats.keep(delta);
    const call = readCall(delta, calls.length, ids);
    if (call === undefined) return;
    if (call.type === "tool-call-end") {
      const { index, id, name } = call;
      out.push({ type: "tool-call-start", index, id, name });
      const text = argumentsText(call.arguments);
      out.push({ type: "tool-call-delta", index, argumentsText: text === "" ? "{}" : text });
    }
    // The calls end only when the answer ends. An error may still follow, and then none of them may run.
    calls.push(call);
  }

  return {
    get unkeptChars() {
      return beyond.chars;
    },
    push(delta, out) {
      if (delta === undefined || repeats.isAgain(delta)) return;
      if (calls.length < maxCalls) keep(delta, out);
      else beyond.begin(delta);
    },
    names: () => calls.flatMap((call) => (call.name === undefined ? [] : [call.name])),
    end: (ending) => [...calls.map((call) => settled(call, ending)), ...beyond.events(calls.length)],
  };
}

function readCall(
  { id, name, arguments: args, fields }: CallDelta,
  index: number,
  ids: CallIds,
): Call | undefined {
  if (name === "" && args === "") return undefined;
  if (name === "") {
    const message = "The call names no tool.";
    return { type: "tool-call-error", index, raw: argumentsText(args), reason: "unreadable", message };
  }
  return { type: "tool-call-end", index, id: ids.take(id), name, arguments: args, ...defined({ fields }) };
}

/**
 * Returns the call, or an error if its arguments came as text that was cut off. Arguments that came as an object are
 * always complete.
 */
function settled(call: Call, ending: Ending): Call {
  if (call.type === "tool-call-error" || typeof call.arguments !== "string") return call;
  const { index, name, arguments: raw } = call;
  const message = cutOff(name, raw, ending);
  if (message !== undefined) {
    return { type: "tool-call-error", index, raw, reason: "incomplete", message, name };
  }
  return raw.trim() === "" ? { ...call, arguments: {} } : call;
}

function argumentsText(args: string | JsonObject): string {
  return typeof args === "string" ? args : JSON.stringify(args);
}

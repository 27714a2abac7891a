/** Reads an answer of Ollama's native chat: one JSON object per line, each call in one piece, `done` in the last line. */
import {
  createLineDecoder,
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
} from "@localharness/protocol";
import { type CallDelta, callsOf, readCallDelta } from "../call-delta.ts";
import type { CallIds } from "../call-ids.ts";
import { cutOff, type Ending } from "../cut-off.ts";
import {
  errorText,
  fromStatus,
  looksLikeHtml,
  type ModelFailure,
  maxErrorChars,
  repetition,
  saysError,
  tooDeep,
} from "../failure.ts";
import { isTooDeep } from "../json-depth.ts";
import { tokenCount } from "../token-count.ts";
import type { AnswerReader } from "../wire.ts";
import { createEcho, createRepeats } from "./repeats.ts";

type CallEnd = Extract<ModelEvent, { type: "tool-call-end" }>;
type Call = CallEnd | Extract<ModelEvent, { type: "tool-call-error" }>;

const maxLineChars = 16 * 1024 * 1024;

export function createOllamaReader(who: string, contextWindow: number, ids: CallIds): AnswerReader {
  const lines = createLineDecoder(maxLineChars);
  const calls: Call[] = [];
  const isAgain = createRepeats();
  const echo = createEcho();
  let last: JsonObject | undefined;
  let failed = false;

  const fail = (out: ModelEvent[], failure: ModelFailure) => {
    if (!failed) out.push({ type: "model-error", ...failure });
    failed = true;
  };

  function take(decoded: ReturnType<typeof lines.push>, out: ModelEvent[]): void {
    for (const line of decoded) {
      if (failed || last !== undefined) return;
      if (!line.ok) fail(out, unreadable(who, line.line, line.message));
      else if (isTooDeep(line.value)) {
        fail(out, { code: "bad-response", message: tooDeep(who), retryable: false });
      } else if (isJsonObject(line.value)) takeLine(line.value, out);
    }
  }

  function takeLine(line: JsonObject, out: ModelEvent[]): void {
    const error = line["error"];
    if (saysError(error)) {
      fail(out, reported(error, who));
      return;
    }
    const message = line["message"];
    if (isJsonObject(message)) takeMessage(message, out);
    if (line["done"] === true) last = line;
  }

  function takeMessage(message: JsonObject, out: ModelEvent[]): void {
    const { thinking, content } = message;
    echo.push(`${typeof thinking === "string" ? thinking : ""}${typeof content === "string" ? content : ""}`);
    if (typeof thinking === "string" && thinking !== "") {
      out.push({ type: "reasoning-delta", text: thinking });
    }
    if (typeof content === "string" && content !== "") out.push({ type: "text-delta", text: content });
    for (const value of callsOf(message["tool_calls"])) {
      const delta = readCallDelta(value);
      if (delta === undefined || isAgain(delta)) continue;
      const call = readCall(delta, calls.length, ids);
      if (call === undefined) continue;
      if (call.type === "tool-call-end") {
        const { index, id, name } = call;
        out.push({ type: "tool-call-start", index, id, name });
        const text = argumentsText(call.arguments);
        out.push({ type: "tool-call-delta", index, argumentsText: text === "" ? "{}" : text });
      }
      // Calls end only with the answer: an error may follow, and then none of them may run.
      calls.push(call);
    }
  }

  return {
    get progress() {
      return last === undefined ? "open" : "finished";
    },
    openCalls: () => calls.flatMap((call) => (call.name === undefined ? [] : [call.name])),
    push(text) {
      const out: ModelEvent[] = [];
      if (!failed) take(lines.push(text), out);
      return out;
    },
    end() {
      const out: ModelEvent[] = [];
      if (failed) return out;
      take(lines.end(), out);
      if (failed) return out;
      if (last === undefined) {
        fail(out, unfinished(who, echo.repeated()));
        return out;
      }
      const ending = endingOf(last["done_reason"]);
      const ends = calls.map((call) => settled(call, ending));
      const end: ModelEvent = { type: "model-end", stopReason: stopReason(last, ends) };
      return [...out, ...ends, usageOf(last, contextWindow), end];
    },
  };
}

function readCall({ id, name, arguments: args }: CallDelta, index: number, ids: CallIds): Call | undefined {
  if (name === "" && args === "") return undefined;
  if (name === "") {
    const message = "The call names no tool.";
    return { type: "tool-call-error", index, raw: argumentsText(args), reason: "unreadable", message };
  }
  return { type: "tool-call-end", index, id: ids.take(id), name, arguments: args };
}

function endingOf(reason: JsonValue | undefined): Ending {
  if (reason === "length") return "at-limit";
  return reason === undefined || reason === "stop" || reason === "tool_calls" ? "whole" : "early";
}

/** Returns the call, or an error if its arguments came as text that was cut off; an object is always complete. */
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

function usageOf(last: JsonObject, contextWindow: number): ModelEvent {
  const input = tokenCount(last["prompt_eval_count"]);
  const output = tokenCount(last["eval_count"]);
  const cached = tokenCount(last["prompt_eval_cached_count"]);
  // For a model on a remote host, `num_ctx` does not set the context window.
  const elsewhere = typeof last["remote_host"] === "string" && last["remote_host"] !== "";
  return {
    type: "usage",
    ...defined({ inputTokens: input, outputTokens: output, cachedTokens: cached }),
    ...(elsewhere ? {} : { contextWindow }),
  };
}

function stopReason(last: JsonObject, calls: readonly Call[]): "tool-calls" | "stop" | "length" | "other" {
  const reason = last["done_reason"];
  if (reason === "length") return "length";
  if (calls.some((call) => call.type === "tool-call-end")) return "tool-calls";
  return reason === "stop" || reason === undefined ? "stop" : "other";
}

function reported(error: unknown, who: string): ModelFailure {
  const said = errorText(error) ?? JSON.stringify(error).slice(0, maxErrorChars);
  const failure = fromStatus(500, said, who);
  if (failure.code === "bad-response") return failure;
  return { ...failure, message: `${who} reported an error in the middle of its answer: ${said}` };
}

function unfinished(who: string, repeated: string | undefined): ModelFailure {
  if (repeated !== undefined) return repetition(who, `${JSON.stringify(repeated)}, without an end`);
  const message = `${who} ended its answer in the middle: the line with "done" never came.`;
  return { code: "bad-response", message, retryable: true };
}

function unreadable(who: string, line: string, why: string): ModelFailure {
  const message = looksLikeHtml(line)
    ? `${who} answered with a web page instead of JSON: the address is wrong, or a proxy or login page answered.`
    : `${who} sent a line that is not JSON (${why}): ${line.slice(0, 120)}.`;
  return { code: "bad-response", message, retryable: !looksLikeHtml(line) };
}

/**
 * Reads an answer of Ollama's native chat API. It has one JSON object per line, each call comes in one piece, and the
 * last line has `done`.
 */
import {
  createLineDecoder,
  type DecodedLine,
  defined,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
  type StopReason,
} from "@localharness/protocol";
import { callsOf, readCallDelta } from "../../answer/call-delta.ts";
import type { CallIds } from "../../answer/call-ids.ts";
import type { Ending } from "../../answer/cut-off.ts";
import {
  errorText,
  fromStatus,
  looksLikeHtml,
  type ModelFailure,
  maxErrorChars,
  repetition,
  saysError,
  tooDeep,
  withUnread,
} from "../../answer/failure.ts";
import { endingOf, stopReasons } from "../../answer/finish-reason.ts";
import { isTooDeep } from "../../answer/json-depth.ts";
import { thoughtIn } from "../../answer/thought-text.ts";
import { tokenCount } from "../../answer/token-count.ts";
import { createAnswerFields } from "../../origin/answer-fields.ts";
import type { AnswerReader } from "../wire.ts";
import { createCallList } from "./call-list.ts";
import { createEcho } from "./repeats.ts";

const maxLineChars = 16 * 1024 * 1024;

export interface OllamaReading {
  readonly who: string;
  readonly contextWindow: number;
  readonly ids: CallIds;
  readonly maxCalls: number;
  /** `AnswerOrigin.madeBy`. */
  readonly madeBy: string;
}

export function createOllamaReader(reading: OllamaReading): AnswerReader {
  const { who, contextWindow, ids, maxCalls } = reading;
  const fields = createAnswerFields(reading.madeBy);
  const lines = createLineDecoder(maxLineChars);
  const calls = createCallList(ids, maxCalls);
  const echo = createEcho();
  let last: JsonObject | undefined;
  let failed = false;

  const fail = (out: ModelEvent[], failure: ModelFailure) => {
    if (!failed) out.push({ type: "model-error", ...failure });
    failed = true;
  };

  function take(decoded: ReturnType<typeof lines.push>, out: ModelEvent[]): void {
    for (const given of decoded) {
      if (failed || last !== undefined) return;
      const line = withoutWrapping(given);
      // Gateways send comments and signs of life between the lines. Only an object can be a part of the answer.
      if (!line.ok && !/^\s*[{<]/.test(line.line)) continue;
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
    const { content } = message;
    const thought = thoughtIn(message);
    fields.take(message);
    echo.push(`${thought}${typeof content === "string" ? content : ""}`);
    if (thought !== "") out.push({ type: "reasoning-delta", text: thought });
    if (typeof content === "string" && content !== "") out.push({ type: "text-delta", text: content });
    for (const value of callsOf(message["tool_calls"])) calls.push(readCallDelta(value), out);
  }

  return {
    get unkeptChars() {
      return calls.unkeptChars;
    },
    cut: () => [...calls.end("at-limit"), { type: "model-end", stopReason: "length" }],
    get progress() {
      return last === undefined ? "open" : "finished";
    },
    openCalls: () => calls.names(),
    push(text) {
      const out: ModelEvent[] = [];
      if (!failed) take(lines.push(text), out);
      return out;
    },
    end() {
      const out: ModelEvent[] = [];
      if (!failed) take(lines.end(), out);
      if (failed) return out;
      if (last === undefined) {
        fail(out, unfinished(who, echo.repeated()));
        return out;
      }
      const { done_reason: said } = last;
      const ending = howItEnded(said);
      const ends = calls.end(ending);
      return [
        ...out,
        ...ends,
        usageOf(last, contextWindow),
        { ...endAt(ending, said, ends), ...fields.ofEnd(ends) },
      ];
    },
  };
}

function endAt(ending: Ending, said: JsonValue | undefined, ends: readonly ModelEvent[]): ModelEvent {
  const reason = ending === "early" ? String(said) : undefined;
  return { type: "model-end", stopReason: stopReason(ending, ends), ...defined({ reason }) };
}

/** Returns the line that a gateway has wrapped as an event (`data: {...}`); any other line unchanged. */
function withoutWrapping(line: DecodedLine): DecodedLine {
  const wrapped = line.ok ? undefined : /^\s*data:([\s\S]*)$/.exec(line.line)?.[1];
  if (wrapped === undefined) return line;
  try {
    return { ok: true, value: JSON.parse(wrapped) };
  } catch {
    return { ...line, line: wrapped } as DecodedLine;
  }
}

/** Returns how the answer ended. Old servers give no reason. */
function howItEnded(reason: JsonValue | undefined): Ending {
  if (reason === undefined) return "whole";
  return typeof reason === "string" ? endingOf(reason) : "early";
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

function stopReason(ending: Ending, calls: readonly ModelEvent[]): StopReason {
  const called = calls.some((call) => call.type === "tool-call-end");
  return called && ending !== "at-limit" ? "tool-calls" : stopReasons[ending];
}

function reported(error: unknown, who: string): ModelFailure {
  const said = errorText(error) ?? JSON.stringify(error).slice(0, maxErrorChars);
  const failure = withUnread(fromStatus(500, said, who), error);
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

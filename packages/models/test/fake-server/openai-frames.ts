/** Writes an answer like an OpenAI-compatible server: server-sent events, or one JSON body. */
import { type Answer, pieces, type ReadyCall } from "./answer.ts";
import type { ToolDeltaShape } from "./scenario.ts";
import { progressParts, timings } from "./strict/reading-frames.ts";

type Delta = Record<string, unknown>;

/** Returns the events of the stream in order, each with its blank line. */
export function* openaiFrames(answer: Answer, includeUsage: boolean): Generator<string> {
  const { wire } = answer;
  const head = `data: ${JSON.stringify(envelope(answer)).slice(0, -1)},"choices":[{"index":0,"delta":`;
  const tail = `,"finish_reason":null}]}${wire.lineEnd}${wire.lineEnd}`;
  const frame = (delta: Delta) => head + JSON.stringify(delta) + tail;
  yield frame({ role: "assistant", content: "" });
  if (answer.read?.tellsProgress) {
    const choices = [{ index: 0, delta: {}, finish_reason: null }];
    for (const part of progressParts(answer.read)) yield event(answer, { choices, ...part });
  }
  for (const piece of pieces(answer.reasoning, wire.deltaChars)) yield frame({ [wire.reasoningKey]: piece });
  for (const piece of pieces(answer.text, wire.deltaChars)) yield frame({ content: piece });
  for (const delta of toolDeltas(answer.calls, wire.toolDeltas, wire.deltaChars)) {
    yield frame({ tool_calls: [delta] });
  }
  if (!wire.withoutFinish) {
    yield event(answer, {
      choices: [{ index: 0, delta: {}, finish_reason: answer.finishReason }],
      ...(includeUsage ? {} : times(answer)),
    });
  }
  if (includeUsage) yield event(answer, { choices: [], usage: usage(answer), ...times(answer) });
  if (!wire.withoutDone) yield `data: [DONE]${wire.lineEnd}${wire.lineEnd}`;
}

export function openaiBody(answer: Answer): Delta {
  const message = {
    role: "assistant",
    content: answer.text === "" && answer.calls.length > 0 ? null : answer.text,
    ...(answer.reasoning === "" ? {} : { [answer.wire.reasoningKey]: answer.reasoning }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: answer.calls.map(wholeCall) }),
  };
  const choices = [{ index: 0, message, finish_reason: answer.finishReason }];
  return {
    ...envelope(answer),
    object: "chat.completion",
    choices,
    usage: usage(answer),
    ...times(answer),
  };
}

/** Returns an error as a server reports it inside a stream. */
export function openaiErrorFrame(message: string, lineEnd: string): string {
  return `data: ${JSON.stringify({ error: { message, type: "server_error", code: 500 } })}${lineEnd}${lineEnd}`;
}

function* toolDeltas(calls: readonly ReadyCall[], shape: ToolDeltaShape, chars: number): Generator<Delta> {
  if (shape === "interleaved") {
    yield* interleaved(calls, chars);
    return;
  }
  for (const [place, call] of calls.entries()) yield* callDeltas(call, place, shape, chars);
}

function* callDeltas(call: ReadyCall, place: number, shape: ToolDeltaShape, chars: number): Generator<Delta> {
  const at = indexOf(place, shape);
  const header = { ...(shape === "no-id" ? {} : { id: call.id }), type: "function" };
  if (shape === "whole" || shape === "object-arguments") {
    const args = shape === "whole" ? call.argumentsText : call.arguments;
    yield { ...at, ...header, function: { name: call.name, arguments: args } };
    return;
  }
  if (shape !== "late-name") yield { ...at, ...header, function: { name: call.name, arguments: "" } };
  for (const piece of pieces(call.argumentsText, chars)) {
    if (shape === "repeated-header") {
      yield { ...at, ...header, function: { name: call.name, arguments: piece } };
    } else if (shape === "empty-strings") yield { ...at, id: "", function: { name: "", arguments: piece } };
    else yield { ...at, function: { arguments: piece } };
  }
  if (shape === "late-name") yield { ...at, ...header, function: { name: call.name, arguments: "" } };
}

function* interleaved(calls: readonly ReadyCall[], chars: number): Generator<Delta> {
  const open = calls.map((call) => pieces(call.argumentsText, chars));
  for (const [index, call] of calls.entries()) {
    yield { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
  }
  for (let going = true; going; ) {
    going = false;
    for (const [index, rest] of open.entries()) {
      const next = rest.next();
      if (next.done) continue;
      going = true;
      yield { index, function: { arguments: next.value } };
    }
  }
}

function indexOf(place: number, shape: ToolDeltaShape): Delta {
  if (shape === "no-index") return {};
  if (shape === "same-index") return { index: 0 };
  return { index: shape === "sparse-index" ? 3 + place * 4 : place };
}

function wholeCall(call: ReadyCall): Delta {
  return { id: call.id, type: "function", function: { name: call.name, arguments: call.argumentsText } };
}

function envelope(answer: Answer): Delta {
  return {
    id: `chatcmpl-${answer.turn}`,
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: answer.model,
  };
}

function event(answer: Answer, rest: Delta): string {
  return `data: ${JSON.stringify({ ...envelope(answer), ...rest })}${answer.wire.lineEnd}${answer.wire.lineEnd}`;
}

function usage(answer: Answer): Delta {
  return {
    prompt_tokens: answer.promptTokens,
    completion_tokens: answer.outputTokens,
    total_tokens: answer.promptTokens + answer.outputTokens,
  };
}

function times(answer: Answer): Delta {
  return answer.read === undefined ? {} : { timings: timings(answer.read, answer.outputTokens) };
}

/** Writes an answer like Ollama's native chat: one JSON object per line, complete calls with object arguments. */
import { type Answer, pieces } from "./answer.ts";

type Line = Record<string, unknown>;

export function* ollamaFrames(answer: Answer): Generator<string> {
  const { wire } = answer;
  const head = `${JSON.stringify(envelope(answer)).slice(0, -1)},"message":`;
  const frame = (message: Line) =>
    `${head}${JSON.stringify({ role: "assistant", ...message })},"done":false}${wire.lineEnd}`;
  for (const piece of pieces(answer.reasoning, wire.deltaChars))
    yield frame({ content: "", thinking: piece });
  for (const piece of pieces(answer.text, wire.deltaChars)) yield frame({ content: piece });
  for (const call of nativeCalls(answer)) yield frame({ content: "", tool_calls: [call] });
  if (wire.withoutDone || wire.withoutFinish) return;
  yield `${JSON.stringify({ ...envelope(answer), message: { role: "assistant", content: "" }, ...last(answer) })}${wire.lineEnd}`;
}

export function ollamaBody(answer: Answer): Line {
  const message = {
    role: "assistant",
    content: answer.text,
    ...(answer.reasoning === "" ? {} : { thinking: answer.reasoning }),
    ...(answer.calls.length === 0 ? {} : { tool_calls: nativeCalls(answer) }),
  };
  return { ...envelope(answer), message, ...last(answer) };
}

export function ollamaErrorFrame(message: string, lineEnd: string): string {
  return `${JSON.stringify({ error: message })}${lineEnd}`;
}

function nativeCalls(answer: Answer): Line[] {
  return answer.calls.map((call, index) => ({
    ...(answer.wire.toolDeltas === "no-id" ? {} : { id: call.id }),
    function: { index, name: call.name, arguments: call.arguments },
  }));
}

function envelope(answer: Answer): Line {
  return { model: answer.model, created_at: "2026-01-01T00:00:00Z" };
}

function last(answer: Answer): Line {
  return {
    done: true,
    done_reason: answer.finishReason === "length" ? "length" : "stop",
    total_duration: 1,
    load_duration: 1,
    prompt_eval_count: answer.promptTokens,
    prompt_eval_duration: 1,
    eval_count: answer.outputTokens,
    eval_duration: 1,
  };
}

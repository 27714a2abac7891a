/** Writes session files of a given size with the program's own writer. */
import { systemClock, toResult } from "@localharness/engine";
import type { EventBody } from "@localharness/protocol";
import type { KeptSessions } from "localharness";

/**
 * Messages and bytes of a session. A turn has four messages: question, call, result, answer. The bytes are spread
 * evenly over the turns.
 */
export interface SessionSize {
  readonly messages: number;
  readonly bytes: number;
}

const perTurn = 4;
const words =
  "the parser reads one line at a time and keeps what it cannot read for the next piece of the file ".split(
    " ",
  );

/** Writes a session and returns its id. `topic` is part of the first message. */
export function makeSession(
  sessions: KeptSessions,
  id: string,
  { messages, bytes }: SessionSize,
  topic: string,
): string {
  const writer = sessions.startSession(id);
  let seq = 0;
  let turnId = "";
  const emit = (body: EventBody): void => {
    seq += 1;
    writer.append({ sessionId: id, turnId, seq, ...body });
  };
  const start = { model: "bench", provider: "bench", workspace: "/bench", mode: "default" } as const;
  emit({ type: "session-start", ...start, tools: ["read_file"], systemPrompt: prose(1_000, 0) });
  const turns = Math.ceil(messages / perTurn);
  const share = Math.floor(bytes / turns);
  for (let turn = 1; turn <= turns; turn += 1) {
    turnId = `turn-${turn}`;
    emit({ type: "turn-start" });
    const content = `${turn === 1 ? `${topic}. ` : ""}${prose(share * 0.1, turn)}`;
    emit({ type: "user-message", content, from: "person" });
    emit({ type: "iteration-start", iteration: 1 });
    const [callId, toolName] = [`call_${turn}`, "read_file"];
    const args = { path: `src/file-${turn}.ts` };
    emit({ type: "text-delta", text: "I look. " });
    emit({ type: "tool-call-end", index: 0, id: callId, name: toolName, arguments: args });
    emit({ type: "model-end", stopReason: "tool-calls" });
    emit({ type: "tool-start", callId, toolName, arguments: args });
    emit({
      type: "tool-result",
      callId,
      toolName,
      result: toResult({ ok: true, data: prose(share * 0.6, turn) }, systemClock, 3),
      display: "[Tool]",
    });
    emit({ type: "iteration-end", iteration: 1, toolCalls: 1 });
    emit({ type: "iteration-start", iteration: 2 });
    emit({ type: "text-delta", text: prose(share * 0.25, turn + 7) });
    emit({ type: "model-end", stopReason: "stop" });
    emit({ type: "turn-end", reason: "done", denied: 0 });
  }
  writer.close();
  return id;
}

function prose(chars: number, from: number): string {
  const pieces: string[] = [];
  let length = 0;
  for (let index = from; length < chars; index += 1) {
    const word = index % 12 === 11 ? "\n" : (words[index % words.length] ?? "");
    pieces.push(word);
    length += word.length + 1;
  }
  return pieces.join(" ");
}

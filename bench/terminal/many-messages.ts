/** Runs the screen alone and plays a session of COUNT messages to it, event by event: `many-messages.ts COUNT`. */
import type { Host, SessionEvent, SessionLink } from "@localharness/protocol";
import { runTerminal } from "@localharness/terminal";

const count = Number(process.argv[2] ?? 10_000);
const listeners = new Set<(event: SessionEvent) => void>();
let seq = 0;

function emit(body: object): void {
  seq += 1;
  const event = { sessionId: "bench", turnId: "turn-1", seq, ...body } as SessionEvent;
  for (const listener of listeners) listener(event);
}

const link: SessionLink = {
  id: "bench",
  history: [],
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  send: () => void play(),
  mode: () => "default",
  model: () => "bench",
};

/** Emits questions, answers, calls and results in turn, and yields to the event loop in between. */
async function play(): Promise<void> {
  for (let index = 0; index < count / 4; index += 1) {
    emit({ type: "user-message", content: `Question ${index} of many`, from: "person" });
    emit({
      type: "text-delta",
      text: `Answer ${index}: **bold** and \`code\`, a line of text that is not short.\n`,
    });
    emit({
      type: "tool-call-end",
      index: 0,
      id: `c${index}`,
      name: "read_file",
      arguments: { path: `src/file${index}.ts` },
    });
    emit({ type: "model-end", stopReason: "tool-calls" });
    const data = `line of file ${index}\n`.repeat(20);
    const metadata = { execution_time_ms: 3, data_size_bytes: data.length, timestamp: 0 };
    const result = { success: true, data, error_message: null, error_type: "none", metadata };
    emit({
      type: "tool-result",
      callId: `c${index}`,
      toolName: "read_file",
      result,
      display: "[Tool: read_file]",
    });
    if (index % 25 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  emit({ type: "text-delta", text: "All messages are there.\n" });
  emit({ type: "model-end", stopReason: "stop" });
}

/** Host methods return an empty list, except these. */
const others = new Map<string, unknown>([
  ["readBranch", undefined],
  ["readSessionName", ""],
  ["readSandbox", "none"],
]);
const answers = (name: string) => async () => (others.has(name) ? others.get(name) : []);
const host = new Proxy({} as Host, { get: (_, name) => answers(String(name)) });

const facts = { sandbox: "none", iterationLimit: 10 };
await runTerminal({ link, host, facts, greeting: [], warnings: [], firstMessage: "" });
process.exit(0);

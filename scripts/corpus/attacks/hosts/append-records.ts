/** Appends records to a session, and prints each after it is saved. */
import { writeSync } from "node:fs";
import { join } from "node:path";
import type { EventBody } from "@localharness/protocol";
import { openKeptSessions } from "localharness";

const job = JSON.parse(process.argv[2] ?? "{}");
const stateFolder = join(job.home, ".local", "state", "localharness");
const parts = { stateFolder, workspace: job.ws, systemPrompt: "" };
const writer = openKeptSessions({ ...parts, mask: (text) => text, secrets: [] }).startSession(job.id);
let seq = 0;
const append = (body: EventBody) =>
  writer.append({ sessionId: job.id, turnId: "turn-1", seq: ++seq, ...body });
const setting = { model: "m", provider: "p", workspace: job.ws, mode: "default", tools: [] } as const;
append({ type: "session-start", ...setting, systemPrompt: "Begin." });
for (let index = 0; index < job.records; index += 1) {
  append({ type: "text-delta", text: "x".repeat(Math.floor(Math.random() * 5_000)) });
  append({ type: "model-end", stopReason: "stop" });
  append({ type: "user-message", content: `record ${index}`, from: "person" });
  writeSync(1, `record ${index}\n`);
}

/** Creates sessions in a temporary folder, with events as the engine emits them. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTranscript, systemClock, toResult } from "@localharness/engine";
import { applyEvent, type EventBody, emptyView, type SessionEvent, type View } from "@localharness/protocol";
import { expect, onTestFinished } from "vitest";
import { type KeptSessions, openKeptSessions } from "../../src/sessions/kept-sessions.ts";
import type { Masking } from "../../src/sessions/split-secret.ts";

/** Opens the sessions as another process would: the same state folder gives the same folder. */
export function openSessions(
  state = newState(),
  masking: Masking = { mask: (text) => text, secrets: [] },
): { readonly state: string; readonly sessions: KeptSessions } {
  const parts = { stateFolder: state, workspace: "/w", systemPrompt: "Begin." };
  return { state, sessions: openKeptSessions({ ...parts, ...masking }) };
}

/** Creates a folder that is removed after the test. */
function newState(): string {
  const folder = mkdtempSync(join(tmpdir(), "lh-sessions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const setting = { model: "m", provider: "p", workspace: "/w", mode: "default", tools: ["ls"] } as const;

export const start: EventBody = { type: "session-start", ...setting, systemPrompt: "Begin." };

/** Returns the events of a turn with a call, in the order in which the engine emits them. */
export function turn(number: number, text: string, found = `found ${number}`): readonly EventBody[] {
  const id = `call-${number}`;
  return [
    { type: "turn-start" },
    { type: "user-message", content: text, from: "person" },
    { type: "iteration-start", iteration: 1 },
    { type: "reasoning-delta", text: "hm " },
    { type: "reasoning-delta", text: "hm" },
    { type: "text-delta", text: "I " },
    { type: "text-delta", text: `look ${number}` },
    { type: "tool-call-start", index: 0, id, name: "ls" },
    { type: "tool-call-delta", index: 0, argumentsText: "{" },
    { type: "tool-call-delta", index: 0, argumentsText: "}" },
    { type: "tool-call-end", index: 0, id, name: "ls", arguments: {} },
    { type: "model-end", stopReason: "tool-calls" },
    { type: "executor-state", state: "executing" },
    { type: "tool-start", callId: id, toolName: "ls", arguments: {} },
    { type: "tool-progress", callId: id, text: "half" },
    {
      type: "tool-result",
      callId: id,
      toolName: "ls",
      result: toResult({ ok: true, data: found }, systemClock, 1),
      display: "[Tool: ls]",
    },
    { type: "executor-state", state: "idle" },
    { type: "iteration-end", iteration: 1, toolCalls: 1 },
    { type: "iteration-start", iteration: 2 },
    { type: "text-delta", text: `answer ${number}` },
    { type: "usage", inputTokens: 5, outputTokens: 6 },
    { type: "model-end", stopReason: "stop" },
    { type: "turn-end", reason: "done", denied: 0 },
  ];
}

/** Returns the bodies as events of a session, numbered from `first` on, with turn ids like the engine's. */
export function numbered(id: string, bodies: readonly EventBody[], first = 1): readonly SessionEvent[] {
  let turns = 0;
  return bodies.map((body, index) => {
    if (body.type === "turn-start") turns += 1;
    return { sessionId: id, turnId: turns === 0 ? "" : `turn-${turns}`, seq: first + index, ...body };
  });
}

/** Writes a session of some turns and closes it; `found` has the result of each call. */
export function write(
  sessions: KeptSessions,
  id: string,
  texts: readonly string[],
  found?: string,
  isRun = false,
): readonly SessionEvent[] {
  const events = numbered(id, [start, ...texts.flatMap((text, index) => turn(index + 1, text, found))]);
  const writer = sessions.startSession(id, isRun);
  for (const event of events) writer.append(event);
  writer.close();
  return events;
}

export function fileOf(sessions: KeptSessions, id: string): string {
  return join(sessions.folder, `${id}.jsonl`);
}

export function linesOf(sessions: KeptSessions, id: string): readonly string[] {
  return readFileSync(fileOf(sessions, id), "utf8").split("\n");
}

export function fold(events: readonly SessionEvent[]): View {
  return events.reduce(applyEvent, emptyView);
}

/** Returns the person's messages, after checking what must hold for every session that is continued. */
export function soundMessages(events: readonly SessionEvent[]): readonly string[] {
  expect(events.map(({ seq }) => seq).toSorted((a, b) => a - b)).toEqual(events.map(({ seq }) => seq));
  const view = fold(events);
  const transcript = createTranscript();
  for (const message of view.messages) transcript.append(message);
  expect(transcript.openCalls).toEqual([]);
  return view.messages.flatMap((message) =>
    message.role === "user" && message.from === "person" ? [message.content] : [],
  );
}

/** Returns the person's messages of a session that continues in its own file. */
export async function personIn(sessions: KeptSessions, id: string): Promise<readonly string[]> {
  const earlier = await sessions.openSession(id);
  earlier.writer.close();
  expect(earlier.id).toBe(id);
  return soundMessages(earlier.events);
}

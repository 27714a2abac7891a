/** Opens a session with a scripted model and keeps all its events. Checks the rules that hold for every session. */
import {
  createRegistry,
  createSession,
  type PersonsAnswer,
  type Session,
  type SessionOptions,
  type Tool,
} from "@localharness/engine";
import {
  applyEvent,
  type Command,
  type EventBody,
  emptyView,
  type Message,
  type ModelMessage,
  type PermissionAnswer,
  type SessionEvent,
} from "@localharness/protocol";
import { expect } from "vitest";
import { makeTool } from "./make-tool.ts";
import { type ScriptedModel, type Step, scriptedModel } from "./scripted-model.ts";

type EventType = EventBody["type"];
type EventOf<T extends EventType> = Extract<SessionEvent, { type: T }>;

export interface Opened {
  readonly session: Session;
  readonly model: ScriptedModel;
  readonly events: readonly SessionEvent[];
  /** The events of one type. */
  of<T extends EventType>(type: T): readonly EventOf<T>[];
  /** Resolves with the next event of this type, or one that has already come and was not waited for. */
  next<T extends EventType>(type: T): Promise<EventOf<T>>;
  results(): readonly Shown[];
  notices(): readonly string[];
}

/** The event with a result; `tool` is the name of the tool. */
type Shown = Omit<EventOf<"tool-result">, "toolName"> & { readonly tool: string };

export interface Opening extends Partial<Omit<SessionOptions, "model">> {
  readonly steps: readonly Step[];
  readonly tools?: readonly Tool[];
  /** The answers to the permission requests, in order; later requests stay open. */
  readonly answers?: readonly (PermissionAnswer | PersonsAnswer)[];
  /** The context window that the model reports, in tokens. */
  readonly contextWindow?: number;
  /** Sends a command as soon as an event of that type comes, each once. */
  readonly when?: Partial<Record<EventType, Command>>;
}

export function openSession(opening: Opening): Opened {
  const { steps, tools, answers = [], when = {}, contextWindow, ...options } = opening;
  const model = scriptedModel(steps, contextWindow);
  const session = createSession({
    registry: createRegistry(tools ?? [makeTool()]),
    systemPrompt: "You are a test.",
    workspace: "/workspace",
    interactive: true,
    ...options,
    model,
  });
  const events: SessionEvent[] = [];
  const left = [...answers];
  const pending = new Map(Object.entries(when));
  const of = <T extends EventType>(type: T) =>
    events.filter((event): event is EventOf<T> => event.type === type);
  const seen = new Map<EventType, number>();
  session.subscribe((event) => {
    events.push(event);
    const answer = event.type === "permission-request" ? left.shift() : undefined;
    if (event.type === "permission-request" && answer !== undefined) {
      const given = typeof answer === "string" ? { answer } : answer;
      session.send({ type: "permission-answer", requestId: event.request.requestId, ...given });
    }
    const command = pending.get(event.type);
    pending.delete(event.type);
    if (command !== undefined) session.send(command);
  });
  return {
    session,
    model,
    events,
    of,
    async next(type) {
      const index = seen.get(type) ?? 0;
      seen.set(type, index + 1);
      for (;;) {
        const event = of(type)[index];
        if (event !== undefined) return event;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    },
    results: () => of("tool-result").map(({ toolName: tool, ...event }) => ({ ...event, tool })),
    notices: () => of("notice").map((event) => event.code),
  };
}

/** Checks what must hold after any turn, however it went. */
export function expectSound({ session, events, model }: Opened): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.reduce(applyEvent, emptyView)).toEqual(session.view());
  expect(JSON.parse(JSON.stringify(events))).toEqual(events);
  const { messages, running, permission, turn } = session.view();
  expect({ running, permission, active: turn.running }).toEqual({
    running: [],
    permission: undefined,
    active: false,
  });
  const asked = messages.flatMap((message) =>
    message.role === "assistant" ? (message.toolCalls ?? []) : [],
  );
  const answered = messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []));
  expect(answered).toEqual(asked.map((one) => one.id));
  expect(new Set(answered).size).toBe(answered.length);
  const forModel = messages.filter((message) => message.role !== "display");
  for (const [index, request] of model.requests.entries()) {
    const before = model.requests[index - 1]?.messages ?? [];
    const sent = withWholeResults(request.messages, events, forModel);
    expect(sent.slice(0, before.length)).toEqual(withWholeResults(before, events, forModel));
    expect(forModel.slice(0, sent.length)).toEqual(sent);
  }
  const starts = events.filter((event) => event.type === "turn-start").length;
  expect(events.filter((event) => event.type === "turn-end")).toHaveLength(starts);
  expect(events.filter((event) => event.type === "permission-answer")).toHaveLength(
    events.filter((event) => event.type === "permission-request").length,
  );
}

/** Returns the messages of a request with the whole results instead of those that a compaction has shortened. */
function withWholeResults(
  sent: readonly ModelMessage[],
  events: readonly SessionEvent[],
  whole: readonly Message[],
): readonly ModelMessage[] {
  const shortened = events.flatMap((event) => (event.type === "compaction" ? event.shortened : []));
  if (shortened.length === 0) return sent;
  return sent.map((message) => {
    if (message.role !== "tool") return message;
    const { toolCallId: callId, content } = message;
    if (!shortened.some((row) => row.callId === callId && row.content === content)) return message;
    const full = whole.find((one) => one.role === "tool" && one.toolCallId === callId);
    return full?.role === "tool" ? full : message;
  });
}

/** Runs one turn to its end and checks what must hold. */
export async function runTurn(opened: Opened, message = "go") {
  const end = await opened.session.prompt(message);
  expectSound(opened);
  return end;
}

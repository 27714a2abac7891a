/** Drives a conversation with a real session, a real adapter, and a loopback server that renders each request. */
import {
  createRegistry,
  createSession,
  type Session,
  type SessionOptions,
  type Tool,
  type TurnEnd,
} from "@localharness/engine";
import type { SessionEvent } from "@localharness/protocol";
import { createModel, type ModelSelection } from "../../src/index.ts";
import type { FakeServer, LlamaServer } from "../fake-server/index.ts";
import { fakeModelName } from "../fake-server/index.ts";
import { type History, resultOf, type Said, toolNames } from "./histories.ts";
import { lostMarks, type Mark, marksOf, saysNone, type TakenPrompt } from "./marks.ts";

/** How a server is reached. */
export interface Route {
  readonly name: string;
  readonly provider: "llamacpp" | "ollama";
  readonly server: LlamaServer;
}

export const routes: readonly Route[] = [
  { name: "openai 2026-08", provider: "llamacpp", server: "2026-08" },
  { name: "openai 2025-08", provider: "llamacpp", server: "2025-08" },
  { name: "ollama", provider: "ollama", server: "2026-08" },
];

export interface Driven {
  /** Why the first turn failed that should have succeeded; absent if all went well. */
  readonly refused?: string;
  readonly lost: readonly Mark[];
  readonly saysNone: boolean;
  readonly prompts: readonly TakenPrompt[];
}

export async function driveHistory(
  server: FakeServer,
  route: Route,
  template: string,
  history: History,
): Promise<Driven> {
  const sees = history.seesImages === true ? { seesImages: true } : {};
  server.use({ turns: history.answers, strict: { template, server: route.server, ...sees } });
  const marks: Mark[] = [...marksOf(history)];
  let events: SessionEvent[] = [];
  let session = await open(server, route, history, marks, events, []);
  let refused: string | undefined;
  for (const [place, said] of history.says.entries()) {
    if (place === 1 && history.resumes === true) {
      await session.close();
      const before = events;
      events = [];
      session = await open(server, route, history, marks, events, before);
    }
    markPerson(marks, said, server, history.seesImages === true);
    const end = await session.prompt(said.text, said.images);
    if (end.reason !== "done" && said.mayFail !== true) refused ??= saidBy(end);
  }
  await session.close();
  const prompts = server.log.flatMap(({ prompt, turn }) =>
    prompt === undefined || turn === undefined ? [] : [{ prompt, answers: turn }],
  );
  return {
    ...(refused === undefined ? {} : { refused }),
    lost: lostMarks(prompts, marks),
    saysNone: saysNone(prompts),
    prompts,
  };
}

function saidBy(end: TurnEnd): string {
  return "message" in end && end.message !== undefined ? `${end.reason}: ${end.message}` : end.reason;
}

/** Requires the text in every later prompt. The question of a failed turn stays in the transcript too. */
function markPerson(marks: Mark[], { text, images }: Said, server: FakeServer, sees: boolean): void {
  const from = { answer: -1, since: server.prompts.length };
  marks.push({ kind: "person", text, ...from });
  if (images !== undefined && sees) marks.push({ kind: "image", text: "<__media__>", ...from });
}

async function open(
  server: FakeServer,
  route: Route,
  history: History,
  marks: Mark[],
  events: SessionEvent[],
  before: readonly SessionEvent[],
): Promise<Session> {
  const { model } = await createModel(selection(server, route));
  const options: SessionOptions = {
    model,
    registry: createRegistry(toolsFor(() => meanwhile())),
    systemPrompt: "You are a careful helper with tools: systemalpha.",
    workspace: "/workspace",
    interactive: true,
    ...(before.length === 0 ? {} : { history: before, sessionId: before[0]?.sessionId ?? "" }),
  };
  const session = createSession(options);
  let typed = history.meanwhile;
  const meanwhile = () => {
    if (typed === undefined) return;
    marks.push({ kind: "person", text: typed, answer: -1, since: server.prompts.length });
    session.send({ type: "user-message", content: typed });
    typed = undefined;
  };
  events.push(...before);
  session.subscribe((event) => {
    events.push(event);
    if (event.type !== "permission-request") return;
    const answer = history.denies === true ? "deny" : "once";
    session.send({ type: "permission-answer", requestId: event.request.requestId, answer });
  });
  return session;
}

function selection({ baseUrl, origin }: FakeServer, { provider }: Route): ModelSelection {
  return {
    provider,
    model: fakeModelName,
    baseUrl: provider === "ollama" ? origin : baseUrl,
    environment: {},
    retry: { firstWaitMs: 0, maxWaitMs: 0 },
  };
}

function toolsFor(onRun: () => void): readonly Tool[] {
  const tool = (name: string, description: string, changes: Partial<Tool>): Tool => ({
    name,
    description,
    parameters: {
      type: "object",
      properties: { subject: { type: "string", description: "What it is about." } },
      required: ["subject"],
    },
    risk: "safe",
    readOnly: true,
    execute: (args) => {
      onRun();
      return Promise.resolve({ ok: true, data: resultOf(String(args["subject"])) });
    },
    ...changes,
  });
  return [
    tool(toolNames.look, "Looks around.", {}),
    tool(toolNames.weigh, "Weighs things.", {}),
    tool(toolNames.write, "Writes things down.", { risk: "medium", readOnly: false }),
  ];
}

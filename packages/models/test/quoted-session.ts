/** Runs a session in which a model reads a file that contains a call and then quotes that call. */
import { createRegistry, createSession, defineTool, type Model } from "@localharness/engine";
import type { ModelEvent, PermissionMode, PermissionRequest } from "@localharness/protocol";
import { honestWays, quotingWays, writtenCall } from "../../detect/test/quoting.ts";
import { findCalls, withTextToolCalls } from "../src/index.ts";

export { honestWays, quotingWays };

export const quotedArguments = { path: "notes.txt", content: "hello from the readme\nsecond line" };

/** Returns the call as text in a format. */
export function quotedCall(format: Parameters<typeof writtenCall>[0]): string {
  return writtenCall(format, "write_file", quotedArguments);
}

export interface QuotedCase {
  /** Content of the file. */
  readonly source: string;
  /** The model's answer after it has read the file. */
  readonly reply: string;
  /** Whether the model reads the file with a native call or with one written as text. */
  readonly calls: "native" | "text";
  readonly mode: PermissionMode;
}

export interface QuotedOutcome {
  readonly asked: readonly PermissionRequest[];
  readonly written: number;
}

/** Runs the turn, denies every question, and allows by rule everything that a rule can allow. */
export async function showCall(one: QuotedCase): Promise<QuotedOutcome> {
  const asked: PermissionRequest[] = [];
  const world = { written: 0 };
  const session = createSession({
    model: withTextToolCalls(scripted(one), one.calls === "text" ? { mode: "text" } : {}),
    registry: createRegistry(toolsOn(world, one.source)),
    systemPrompt: "You are a test.",
    workspace: "/workspace",
    mode: one.mode,
    interactive: true,
    policyStore: allowAll,
    findCalls,
  });
  session.subscribe((event) => {
    if (event.type !== "permission-request") return;
    asked.push(event.request);
    session.send({ type: "permission-answer", requestId: event.request.requestId, answer: "deny" });
  });
  await session.prompt("What is in the README?");
  await session.close();
  return { asked, written: world.written };
}

const allowAll = {
  load: () =>
    Promise.resolve({
      rules: [{ id: "all", decision: "allow" as const, justification: "all is allowed", tool: "*" }],
      warnings: [],
    }),
  add: () => Promise.resolve(),
  forget: () => Promise.resolve(false),
};

function toolsOn(world: { written: number }, source: string) {
  const path = { type: "string" as const };
  return [
    defineTool({
      name: "read_file",
      description: "Reads a file.",
      parameters: { type: "object", properties: { path }, required: ["path"] },
      risk: "safe",
      readOnly: true,
      execute: () => Promise.resolve({ ok: true, data: source }),
    }),
    defineTool({
      name: "write_file",
      description: "Writes a file.",
      parameters: { type: "object", properties: { path, content: path }, required: ["path", "content"] },
      risk: "medium",
      readOnly: false,
      editsFiles: true,
      execute: () => {
        world.written += 1;
        return Promise.resolve({ ok: true, data: "written" });
      },
    }),
  ];
}

function scripted({ calls, reply }: QuotedCase): Model {
  const steps = [calls === "native" ? nativeRead : says(writtenRead), says(reply)];
  return {
    name: "scripted",
    provider: "test",
    async *stream() {
      yield* steps.shift() ?? says("Nothing more.");
    },
  };
}

const args = { path: "README.md" };
const writtenRead = writtenCall("hermes", "read_file", args);
const nativeRead: readonly ModelEvent[] = [
  { type: "tool-call-end", index: 0, id: "call_1", name: "read_file", arguments: args },
  { type: "model-end", stopReason: "tool-calls" },
];

function says(text: string): readonly ModelEvent[] {
  return [
    { type: "text-delta", text },
    { type: "model-end", stopReason: "stop" },
  ];
}

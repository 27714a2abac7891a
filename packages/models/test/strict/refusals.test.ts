/** Tests that the strict server refuses and garbles the same conversations as real servers. */
import type { JsonObject } from "@localharness/protocol";
import { expect, test } from "vitest";
import type { LlamaServer, OwnTemplate } from "../fake-server/index.ts";
import {
  again,
  ask,
  calls,
  emptyPart,
  longId,
  result,
  said,
  shortId,
  strictServer,
  system,
  thought,
  tools,
} from "./conversations.ts";

interface Row {
  readonly template: OwnTemplate;
  readonly server: LlamaServer;
  readonly messages: readonly JsonObject[];
  /** Status and message of a refusal, or what the prompt contains and does not contain. */
  readonly refused?: readonly [400 | 500, string];
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
}

const call = [system, ask, said("", calls(longId)), result(longId)];
const shortCall = [system, ask, said("", calls(shortId)), result(shortId)];
const emptyPartCall = [system, ask, said(emptyPart, calls(longId)), result(longId)];
const textCall = [system, ask, said("First the roof.", calls(shortId)), result(shortId)];
const thoughtTextCall = [
  system,
  ask,
  said("First the roof.", { ...thought, ...calls(longId) }),
  result(longId),
];
const twoCalls = [system, ask, said("", calls(shortId, "abcdefgh2")), result(shortId), result("abcdefgh2")];
const length9 = "Tool call IDs should be alphanumeric strings with length 9!";
const older = "2025-08";
const later = "2026-08";

const rows: readonly Row[] = [
  { template: "takes-all", server: later, messages: call, holds: ["<call>look_at", "It leaks."] },
  { template: "nine-characters", server: later, messages: call, refused: [400, length9] },
  { template: "nine-characters", server: older, messages: call, refused: [500, `${length9} at row`] },
  { template: "nine-characters", server: later, messages: shortCall, holds: ["look_at", "It leaks."] },
  {
    template: "nine-characters",
    server: later,
    messages: [system, ask, again],
    refused: [400, "Jinja Exception: Roles must take turns"],
  },
  {
    template: "nine-characters",
    server: later,
    messages: [...shortCall, again],
    refused: [400, "Roles must take turns"],
  },
  { template: "takes-turns", server: later, messages: [system, ask], holds: ["|user| Be careful.\nLook"] },
  { template: "takes-turns", server: later, messages: call, refused: [400, "must alternate"] },
  { template: "takes-turns", server: older, messages: call, holds: ["tool_calls", "It leaks."] },
  { template: "takes-turns", server: older, messages: twoCalls, refused: [500, "must alternate"] },
  {
    template: "takes-turns",
    server: older,
    messages: [system, ask, again],
    refused: [500, "must alternate"],
  },
  { template: "three-roles", server: later, messages: call, lacks: ["It leaks.", "look_at"] },
  { template: "three-roles", server: older, messages: call, holds: ["It leaks.", "look_at"] },
  { template: "single-calls", server: later, messages: twoCalls, refused: [400, "single tool-calls"] },
  { template: "single-calls", server: older, messages: twoCalls, refused: [500, "single tool-calls"] },
  { template: "single-calls", server: later, messages: textCall, lacks: ["First the roof."] },
  {
    template: "text-or-thought",
    server: older,
    messages: thoughtTextCall,
    refused: [500, "Cannot pass both content and thinking"],
  },
  {
    template: "text-or-thought",
    server: later,
    messages: thoughtTextCall,
    holds: ["The roof first."],
    lacks: ["First the roof."],
  },
  { template: "string-methods", server: older, messages: call, refused: [500, "method 'split' on null"] },
  { template: "string-methods", server: older, messages: emptyPartCall, holds: ["look_at", "It leaks."] },
  { template: "string-methods", server: later, messages: call, holds: ["look_at", "It leaks."] },
  { template: "says-none", server: older, messages: call, holds: ["#assistant None"] },
  { template: "says-none", server: older, messages: emptyPartCall, lacks: ["None"] },
  { template: "says-none", server: later, messages: call, lacks: ["None"] },
  { template: "first-part", server: older, messages: call, refused: [500, "property '0' on null"] },
  { template: "first-part", server: older, messages: emptyPartCall, holds: ["{call} look_at"] },
  { template: "null-beside-calls", server: later, messages: call, lacks: ["=call="], holds: ["It leaks."] },
  { template: "null-beside-calls", server: older, messages: call, holds: ["=call= look_at"] },
  { template: "object-arguments", server: later, messages: call, holds: ["<place>roof</place>"] },
  {
    template: "object-arguments",
    server: later,
    messages: [system, ask, said("", calls(longId)), result(longId)].map(withBrokenArguments),
    refused: [500, "Failed to parse tool call arguments as JSON"],
  },
  { template: "parts-only", server: later, messages: call, holds: ["@look_at", "+tool+ It leaks."] },
  {
    template: "turns-but-tools",
    server: later,
    messages: [system, ask, again],
    refused: [500, "Error: Jinja Exception: Apart from tools"],
  },
  {
    template: "turns-but-tools",
    server: later,
    messages: [system, ask, said("", { ...thought, ...calls(longId) }), result(longId)],
    holds: ["[THINK]The roof first.[/THINK]"],
  },
  { template: "drops-system", server: later, messages: [system, ask], holds: ["Person: Be careful.\nLook"] },
  { template: "throws", server: later, messages: [ask], refused: [400, "refuses everything"] },
  { template: "loops", server: later, messages: [ask], refused: [400, "more than 200000 steps"] },
  { template: "grows", server: later, messages: [ask], refused: [400, "a text of"] },
  { template: "nothing", server: later, messages: [ask], lacks: ["Look"] },
  {
    template: "takes-all",
    server: later,
    messages: [ask, { role: "assistant", content: null }],
    refused: [400, "must contain either 'content' or 'tool_calls'"],
  },
];

function withBrokenArguments(message: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(message).replace('{\\"place\\":\\"roof\\"}', '{\\"place\\":'));
}

const { use, post } = await strictServer();

test.each(rows)("$template, $server, row %#", async ({ template, server, messages, ...expected }) => {
  use(template, { server });
  const { status, body, prompt } = await post("/v1/chat/completions", { messages: [...messages], tools });
  if (expected.refused !== undefined) {
    const [code, words] = expected.refused;
    const type = code === 400 ? "invalid_request_error" : "server_error";
    expect(status).toBe(code);
    expect(body).toEqual({ error: { code, message: expect.stringContaining(words), type } });
    return;
  }
  expect(status, JSON.stringify(body)).toBe(200);
  for (const text of expected.holds ?? []) expect(prompt).toContain(text);
  for (const text of expected.lacks ?? []) expect(prompt).not.toContain(text);
});

const objectCall = { id: longId, function: { name: "look_at", arguments: { place: "roof" } } };

test("Ollama's wire passes on a refusal as JSON inside its error", async () => {
  use("nine-characters");
  const messages = [
    ask,
    said("", { tool_calls: [objectCall] }),
    { role: "tool", tool_name: "look_at", tool_call_id: longId, content: "It leaks." },
  ];
  const { status, body } = await post("/api/chat", { messages, tools });
  expect(status).toBe(400);
  expect(JSON.parse(String(body["error"]))).toMatchObject({
    error: { code: 400, message: expect.stringContaining(length9) },
  });
});

test("Ollama refuses tools that the template does not know", async () => {
  use("three-roles");
  const { status, body } = await post("/api/chat", { messages: [ask], tools });
  expect({ status, body }).toEqual({
    status: 400,
    body: { error: "registry.ollama.ai/library/fake-model does not support tools" },
  });
});

test("Ollama's messages are rendered with their thoughts, names and arguments", async () => {
  use("object-arguments");
  const messages = [ask, said("", { thinking: "The roof first.", tool_calls: [objectCall] })];
  const { prompt } = await post("/api/chat", { messages, tools });
  expect(prompt).toContain("~The roof first.~");
  expect(prompt).toContain("<place>roof</place>");
});

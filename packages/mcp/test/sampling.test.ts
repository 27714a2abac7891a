/** Checks requests of servers for an answer of the model: what is refused, and what a real server gets. */
import type { ModelAnswer, ServersRequest } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import { sample } from "../src/sampling/sampling.ts";
import { openPeers, peer } from "./open-peer.ts";

const never = new AbortController().signal;
const said = (text: string, role = "user") => ({ role, content: { type: "text", text } });
const given: ModelAnswer = { ok: true, text: "Oolong.", model: "m", stopReason: "endTurn" };

test.each<[string, object, string]>([
  ["tools", { messages: [said("x")], maxTokens: 9, tools: [] }, "expected a request without tools"],
  ["no messages", { messages: [], maxTokens: 9 }, "expected 1 to 50 messages"],
  ["no limit", { messages: [said("x")] }, "expected a whole number above 0 as maxTokens"],
  ["another role", { messages: [said("x", "system")], maxTokens: 9 }, "expected user or assistant"],
  ["an endless text", { messages: [said("x".repeat(32_001))], maxTokens: 9 }, "got 32001: send less text"],
  [
    "an image",
    {
      messages: [{ role: "user", content: { type: "image", data: "", mimeType: "image/png" } }],
      maxTokens: 9,
    },
    "images, sounds and tool results do not reach the model",
  ],
])("a request with %s is refused without a question", async (_what, params, reason) => {
  const told: string[] = [];
  const answer = () => Promise.reject(new Error("it was asked"));
  const tell = (text: string) => void told.push(text);
  const sampled = await sample("s", params as JsonObject, never, { answer, tell });
  expect(sampled).toMatchObject({ ok: false, code: -32_602, message: expect.stringContaining(reason) });
  expect(told.join()).toContain(reason);
});

test("the context that a server asks for is left out, and its limit is bounded", async () => {
  const asked: ServersRequest[] = [];
  const params = {
    ...{ messages: [said("a"), said("b", "assistant")], systemPrompt: "p", maxTokens: 1_000_000 },
    ...{ includeContext: "allServers", temperature: 2 },
  };
  const answer = async (request: ServersRequest) => {
    asked.push(request);
    return given;
  };
  await sample("s", params, never, { answer, tell: () => undefined });
  const messages = [
    { role: "user", text: "a" },
    { role: "assistant", text: "b" },
  ];
  const asks = { kind: "model", system: "p", messages, maxTokens: 4_096 };
  expect(asked).toEqual([{ server: "s", message: "", asks }]);
});

describe("a real server", () => {
  const text = JSON.stringify({
    method: "sampling/createMessage",
    params: { messages: [said("Name a tea.")], maxTokens: 50 },
  });

  test.each<[string, object, ModelAnswer, RegExp]>([
    [
      "gets the answer with its model and the reason of its end",
      { sampling: true },
      given,
      /"result":\{(?=.*"model":"m")(?=.*"stopReason":"endTurn")(?=.*"role":"assistant").*"text":"Oolong\."/,
    ],
    [
      "gets the refusal of the person",
      { sampling: true },
      { ok: false, message: "not allowed" },
      /"code":-1,.*not allowed/,
    ],
    ["that may not ask gets an error", {}, given, /"code":-32601/],
  ])("%s", async (_what, more, answered, reply) => {
    let asked = 0;
    const { call } = await openPeers(
      { p: { ...peer("requests"), ...more } },
      {
        answer: async () => {
          asked += 1;
          return answered;
        },
      },
    );
    expect(await call("p__request", { text })).toMatchObject({
      ok: true,
      data: expect.stringMatching(reply),
    });
    expect(asked).toBe("sampling" in more ? 1 : 0);
  });
});

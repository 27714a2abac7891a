/** A refused history is sent in plainer and plainer forms; what helped is learnt, and what did not is not. */
import type { ModelRequest } from "@localharness/engine";
import type { JsonObject, ModelEvent, ModelMessage } from "@localharness/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { withTextToolCalls } from "../../../src/index.ts";
import { createProfile } from "../../../src/request/profile/model-profile.ts";
import {
  chunks,
  type Judgement,
  messagesIn,
  refuse,
  say,
  startJudgingServer,
  toolsIn,
} from "../../judging-server.ts";
import { collect } from "../../model-contract.ts";
import { ollama, openai } from "../../open-wires.ts";
import { lsTool, user } from "../../test-request.ts";

const server = await startJudgingServer();
afterAll(() => server.close());
const base = `${server.address}/v1`;
const madeBy = `${base} fake`;

const odd = "Request judged unfit by rule 7-B";
const call = { id: "c1", name: "ls", arguments: "{}", fields: { seal: "s" } };
const result: ModelMessage = { role: "tool", toolCallId: "c1", toolName: "ls", content: "a" };
const answer: ModelMessage = {
  role: "assistant",
  content: "Looking.",
  reasoning: "Hm.",
  toolCalls: [call],
  origin: { madeBy, thoughtIn: ["reasoning_content"], fields: { steps: ["x"] } },
};
const system: ModelMessage = { role: "system", content: "S" };
const history = [system, user("q"), answer, result, user("r")];
const request = (messages: readonly ModelMessage[]): ModelRequest => ({ messages, tools: [lsTool] });
const roles = (body: JsonObject) =>
  messagesIn(body)
    .map(({ role }) => String(role)[0])
    .join("");
const assistants = (body: JsonObject) => messagesIn(body).filter(({ role }) => role === "assistant");

const notices = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "model-retry" ? [event.message] : []));

const rows: readonly [string, (body: JsonObject) => boolean, readonly string[]][] = [
  [
    "an unknown field of the message",
    (body) => assistants(body).some((one) => "steps" in one),
    ["only-known-fields"],
  ],
  [
    "an unknown field of a call",
    (body) => /"seal"/.test(JSON.stringify(body["messages"])),
    ["only-known-fields"],
  ],
  [
    "the name of a result",
    (body) => messagesIn(body).some((one) => one["role"] === "tool" && "name" in one),
    ["only-known-fields"],
  ],
  ["a thought", (body) => assistants(body).some((one) => "reasoning_content" in one), ["no-thoughts"]],
  ["a question after a result", (body) => /tu/.test(roles(body)), ["alternating-roles"]],
  [
    "text beside a call",
    (body) => assistants(body).some((one) => one["content"] !== null && "tool_calls" in one),
    ["calls-without-content", "one-call-a-message"],
  ],
  [
    "the system role",
    (body) => /s/.test(roles(body)),
    [
      "only-known-fields",
      "empty-part",
      "nine-character-ids",
      "one-call-a-message",
      "alternating-roles",
      "no-system-role",
      "no-thoughts",
      "results-as-user",
    ],
  ],
];

describe("a server that refuses, in words that nobody knows,", () => {
  test.each(rows)("%s", async (_what, isUnfit, learnt) => {
    server.judgeBy((body) => (isUnfit(body) ? refuse(odd, 422) : say("ok")));
    const profile = createProfile();
    const model = openai(base, { profile });
    const events = await collect(model, request(history));
    expect(events.at(-1)).toMatchObject({ type: "model-end" });
    expect([...profile.learnt()].sort()).toEqual([...learnt].sort());
    const tries = server.sent.length;
    await collect(model, request([...history, { role: "assistant", content: "ok" }, user("s")]));
    expect(server.sent.length, "the next request needs no further try").toBe(tries + 1);
  });

  test("everything: reports the first refusal, learns nothing, and sends each form once", async () => {
    server.judgeBy((body) => refuse(toolsIn(body).length > 0 ? odd : "Another rule"));
    const profile = createProfile();
    const model = withTextToolCalls(openai(base, { profile }));
    const events = await collect(model, request(history));
    expect(events.at(-1)).toMatchObject({ type: "model-error", code: "bad-request" });
    expect(profile.learnt()).toEqual([]);
    const bodies = server.sent.map((body) => JSON.stringify(body));
    expect(new Set(bodies).size).toBe(bodies.length);
    expect(bodies.length).toBeLessThan(12);
    server.judgeBy(() => say("ok"));
    await collect(model, request(history));
    expect(toolsIn(server.sent[0]), "a text form that did not help is not kept").toHaveLength(1);
  });

  test("tools beside a history: describes them in the prompt, and remembers it", async () => {
    server.judgeBy((body) => (toolsIn(body).length > 0 ? refuse("Unfit") : say("ok")));
    const profile = createProfile();
    const events = await collect(withTextToolCalls(openai(base, { profile })), request(history));
    expect(events.at(-1)).toMatchObject({ type: "model-end" });
    expect(profile.learnt()).toEqual(["no-tools", "results-as-user"]);
  });

  test("two parts that it names one after the other", async () => {
    server.judgeBy((body) => {
      if (/"seal"|"steps"/.test(JSON.stringify(body["messages"]))) return refuse("Unfit, first kind");
      return /tu/.test(roles(body)) ? refuse("Unfit, second kind") : say("ok");
    });
    const profile = createProfile();
    await collect(openai(base, { profile }), request(history));
    expect([...profile.learnt()].sort()).toEqual(["alternating-roles", "only-known-fields"]);
  });
});

test.each<[string, readonly ModelMessage[], Judgement]>([
  ["a first request", [system, user("q")], refuse(odd)],
  ["a key", history, refuse(odd, 401)],
  ["an unknown address", history, refuse(odd, 404)],
  ["too many requests", history, refuse(odd, 429)],
  ["a full window", history, refuse("This model's maximum context length is 4096 tokens.")],
  ["a broken server", history, refuse(odd, 500)],
])("no other form for %s", async (_what, messages, judgement) => {
  server.judgeBy(() => judgement);
  const once = { retry: { firstWaitMs: 1, maxWaitMs: 1, tries: 1 } };
  await collect(openai(base, once), { messages, tools: [] });
  expect(server.sent).toHaveLength(1);
});

test("a thought is wanted that another model did not think", async () => {
  const wanted = "The reasoning_content of a message with calls must be passed back";
  server.judgeBy((body) =>
    assistants(body).every((one) => one["reasoning_content"]) ? say("ok") : refuse(wanted),
  );
  const foreign = { ...answer, origin: { madeBy: "elsewhere m" } };
  const profile = createProfile([], ["no-thoughts"]);
  const events = await collect(openai(base, { profile }), request([user("q"), foreign, result]));
  expect(notices(events)).toHaveLength(1);
  expect(assistants(server.sent[1] ?? {})[0]).toMatchObject({ reasoning_content: " " });
  await collect(openai(base, { profile }), request([user("q"), answer, result]));
  expect(assistants(server.sent[2] ?? {})[0]).toMatchObject({ reasoning_content: "Hm." });
  expect(profile.learnt()).toEqual(["thoughts-with-calls"]);
});

test("a signature is wanted that another model did not give", async () => {
  server.judgeBy((body) =>
    JSON.stringify(body).includes("skip_thought_signature_validator")
      ? say("ok")
      : refuse("a call lacks its thought_signature"),
  );
  const foreign = { ...answer, origin: { madeBy: "elsewhere m" } };
  const profile = createProfile();
  await collect(openai(base, { profile }), request([user("q"), foreign, result]));
  expect(server.sent).toHaveLength(2);
  expect(profile.learnt()).toEqual(["signed-calls"]);
});

test("an answer that breaks off has taken the request", async () => {
  server.judgeBy((body) => {
    if (assistants(body).some((one) => "reasoning_content" in one)) return refuse(odd);
    return chunks({ content: "ok" }).replace(/data: [^\n]*"stop"[\s\S]*$/, "");
  });
  const profile = createProfile();
  await collect(openai(base, { profile }), request(history));
  expect(profile.learnt()).toEqual(["no-thoughts"]);
});

test("Ollama's histories take the same way", async () => {
  const thinks = (body: JsonObject) => messagesIn(body).some((one) => "thinking" in one);
  const done = `${JSON.stringify({ message: { content: "ok" }, done: true })}\n`;
  server.judgeBy((body) => (thinks(body) ? { status: 400, body: { error: odd } } : done));
  const profile = createProfile();
  const own = { ...answer, origin: { madeBy: `${server.address} fake`, thoughtIn: ["thinking"] } };
  await collect(ollama(server.address, { profile }), request([user("q"), own, result]));
  expect(profile.learnt()).toEqual(["no-thoughts"]);
});

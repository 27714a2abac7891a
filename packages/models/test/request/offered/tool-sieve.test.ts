/** A server that refuses the tools: the guilty one is found by halves, sent in a plainer form or left out, and named. */
import type { ModelRequest, ToolDefinition } from "@localharness/engine";
import type { JsonObject, ModelEvent } from "@localharness/protocol";
import { afterAll, describe, expect, test } from "vitest";
import { withTextToolCalls } from "../../../src/index.ts";
import { maxAsked } from "../../../src/request/offered/tool-sieve.ts";
import { createProfile } from "../../../src/request/profile/model-profile.ts";
import { type Judgement, refuse, say, startJudgingServer, toolsIn } from "../../judging-server.ts";
import { collect } from "../../model-contract.ts";
import { ollama, openai } from "../../open-wires.ts";
import { definition, user } from "../../test-request.ts";

const server = await startJudgingServer();
afterAll(() => server.close());
const base = `${server.address}/v1`;
const quickly = { retry: { firstWaitMs: 1, maxWaitMs: 1, tries: 2 } };

const many = Array.from({ length: 13 }, (_, place) => definition(`tool_${place}`, ["path"]));
const request = (tools: readonly ToolDefinition[] = many): ModelRequest => ({ messages: [user("q")], tools });
const names = (body: JsonObject | undefined) => toolsIn(body).map(({ name }) => String(name));
const notices = (events: readonly ModelEvent[]) =>
  events.flatMap((event) => (event.type === "model-retry" && event.waitMs === 0 ? [event.message] : []));

describe("one tool is refused, whatever the words", () => {
  test.each<[string, Judgement]>([
    ["about a grammar", refuse("failed to parse grammar")],
    [
      "of another program",
      refuse("json: cannot unmarshal array into Go struct field .items of type api.ToolProperty"),
    ],
    ["without words", { status: 400, body: "" }],
    ["as an error of the server", refuse("Internal Server Error", 500)],
    ["as an error of the server about a schema", refuse("invalid schema", 500)],
    ["in other words", refuse("Provider returned error", 422)],
  ])("%s", async (_what, refusal) => {
    for (const guilty of ["tool_0", "tool_6", "tool_12"]) {
      server.judgeBy((body) => (names(body).includes(guilty) ? refusal : say("ok")));
      const model = openai(base, quickly);
      const events = await collect(model, request());
      expect(events.at(-1)).toMatchObject({ type: "model-end" });
      expect(notices(events).at(-1)).toContain(`without ${guilty}, which`);
      expect(names(server.sent.at(-1))).toEqual(
        many.map(({ name }) => name).filter((name) => name !== guilty),
      );
      expect(server.sent.length).toBeLessThan(maxAsked);
      const tries = server.sent.length;
      await collect(model, request([...many]));
      expect(server.sent.length, "the next turn searches no more").toBe(tries + 1);
      expect(server.sent.at(-1)).toEqual(server.sent.at(-2));
    }
  });
});

test("a union that the server does not take is sent in the plainest form", async () => {
  const union: ToolDefinition = {
    name: "tool_x",
    description: "d",
    parameters: { type: "object", properties: { v: { anyOf: [{ type: "string" }, { type: "integer" }] } } },
  };
  server.judgeBy((body) =>
    JSON.stringify(body["tools"] ?? []).includes("anyOf") ? refuse("unknown name anyOf") : say("ok"),
  );
  const events = await collect(openai(base), request([...many, union]));
  expect(notices(events)).toHaveLength(1);
  expect(names(server.sent.at(-1))).toHaveLength(14);
});

test("two tools, one of them helped by a plainer form", async () => {
  const union: ToolDefinition = {
    name: "tool_x",
    description: "d",
    parameters: { type: "object", properties: { v: { anyOf: [{ type: "string" }, { type: "integer" }] } } },
  };
  server.judgeBy((body) => {
    const tools = JSON.stringify(body["tools"] ?? []);
    return tools.includes("anyOf") || tools.includes("tool_3") ? refuse("bad tool") : say("ok");
  });
  const events = await collect(openai(base), request([...many, union]));
  expect(notices(events).at(-1)).toMatch(
    /without tool_3, .* and with the parameters of tool_x in a plainer form/,
  );
});

test("more tools than the server takes: the last are left out", async () => {
  server.judgeBy((body) => (names(body).length > 10 ? refuse("too many functions") : say("ok")));
  await collect(openai(base), request());
  expect(names(server.sent.at(-1))).toHaveLength(10);
});

test("a server that takes no tool at all gets them in the prompt", async () => {
  server.judgeBy((body) => (names(body).length > 0 ? refuse("Unprocessable", 422) : say("ok")));
  const profile = createProfile();
  const events = await collect(withTextToolCalls(openai(base, { profile })), request());
  expect(events.at(-1)).toMatchObject({ type: "model-end" });
  expect(server.sent.length).toBeLessThan(7);
  expect(profile.learnt()).toEqual(["no-tools", "results-as-user"]);
});

test("most tools are refused: the search ends, and the rest is left out", async () => {
  const long = Array.from({ length: 60 }, (_, place) => definition(`tool_${place}`, ["path"]));
  server.judgeBy((body) =>
    names(body).some((name) => Number(name.slice(5)) % 2 === 1) ? refuse("bad schema") : say("ok"),
  );
  const events = await collect(openai(base), request(long));
  expect(events.at(-1)).toMatchObject({ type: "model-end" });
  expect(server.sent.length).toBeLessThanOrEqual(maxAsked + 2);
  expect(names(server.sent.at(-1)).length).toBeGreaterThan(0);
});

test.each<[string, (body: JsonObject, number: number) => Judgement, number]>([
  ["a refusal that stays without tools", () => refuse("bad tools"), 2],
  ["a refusal that came by chance", (_body, number) => (number === 0 ? refuse("odd") : say("ok")), 3],
  ["a key that is refused", () => refuse("tools need another key", 403), 1],
])("%s ends the request without a change", async (_what, judge, requests) => {
  server.judgeBy(judge);
  const events = await collect(openai(base, quickly), request());
  expect(events.at(-1)).toMatchObject({ type: "model-error" });
  expect(server.sent).toHaveLength(requests);
});

test("tools that were taken before are not suspected, new ones are", async () => {
  server.judgeBy(() => say("ok"));
  const model = openai(base, quickly);
  await collect(model, request());
  server.judgeBy(() => refuse("bad schema"));
  await collect(model, request());
  expect(server.sent).toHaveLength(1);
  server.judgeBy((body) => (names(body).includes("added") ? refuse("bad schema") : say("ok")));
  await collect(model, request([...many, definition("added", [])]));
  expect(names(server.sent.at(-1))).toEqual(many.map(({ name }) => name));
});

test("Ollama's tools take the same way", async () => {
  const done = `${JSON.stringify({ message: { content: "ok" }, done: true })}\n`;
  server.judgeBy((body) =>
    names(body).includes("tool_2") ? { status: 400, body: { error: "invalid tool" } } : done,
  );
  const events = await collect(ollama(server.address), request());
  expect(notices(events).at(-1)).toContain("without tool_2");
  expect(names(server.sent.at(-1))).toHaveLength(12);
});

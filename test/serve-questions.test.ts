/** Questions of MCP servers in a session that a server holds: which answer counts, and what a client that leaves does. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { configure, makePlace, root } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { type Served, serve } from "./served.ts";

const model = await serveModel();
const flags = [...argumentsFor(model), "--sandbox", "off", "--mode", "bypass"];
const peer = join(root, "packages", "mcp", "test", "fixtures", "peer.ts");
const form = {
  method: "elicitation/create",
  params: {
    message: "How old?",
    requestedSchema: {
      type: "object",
      properties: { age: { type: "integer" }, name: { type: "string" } },
      required: ["age"],
    },
  },
};

async function ask(): Promise<Served> {
  const place = makePlace();
  const servers = { s: { command: process.execPath, args: [peer, "requests"] } };
  configure(place, "mcp.json", JSON.stringify({ mcpServers: servers }));
  configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
  model.use({
    turns: [
      { calls: [{ name: "s__request", arguments: { text: JSON.stringify(form) } }] },
      { text: "Done." },
    ],
  });
  return serve(flags, { place });
}

/** Begins a turn and returns the id of the question. */
async function begin(served: Served, id: string): Promise<string> {
  const follower = served.follow({ session: id });
  await served.send(id, { type: "user-message", content: "go" });
  const { question } = await follower.event("server-question");
  follower.close();
  await follower.closed;
  return question.questionId;
}

function resultText(): string {
  const messages = model.chats.at(-1)?.body?.["messages"];
  return JSON.stringify(messages);
}

test("a question stays open for clients that leave, and the first valid answer counts", async () => {
  await using served = await ask();
  const { id } = await served.open();
  const questionId = await begin(served, id);
  const { json: state } = await served.request("GET", `/api/sessions/${id}`);
  expect(state).toMatchObject({ running: true, questions: 1, watchers: 0 });
  const follower = served.follow({ session: id });
  expect((await follower.event("server-question")).question.questionId).toBe(questionId);
  const type = "server-question-answer";
  const answer = (values: object, client: string) =>
    served.send(
      id,
      { type, questionId, action: "accept", values: values as never },
      { "Localharness-Client": client },
    );
  expect(await answer({ age: "old" }, "A")).toMatchObject({
    status: 409,
    json: { error: "expected a whole number for age" },
  });
  expect(await answer({ name: "Ada" }, "A")).toMatchObject({
    status: 409,
    json: { error: "the question needs a value for age" },
  });
  expect(await answer({ age: 3, other: 1 }, "A")).toMatchObject({ status: 409 });
  expect(await answer({ age: 36 }, "B")).toMatchObject({ status: 202 });
  expect(await answer({ age: 37 }, "A")).toMatchObject({
    status: 409,
    json: { error: "this question was answered already, by B" },
  });
  expect(await follower.until("answered")).toMatchObject({ requestId: questionId, by: "B" });
  expect(await follower.event(type)).toMatchObject({ action: "accept", by: "person" });
  await follower.event("turn-end");
  expect(resultText()).toMatch(/age\\*":36\b/);
  expect(JSON.stringify(follower.events.filter((event) => event.type === type))).not.toContain("36");
});

test("an interrupt ends the question, and a late answer is told so", async () => {
  await using served = await ask();
  const { id } = await served.open();
  const questionId = await begin(served, id);
  await served.send(id, { type: "interrupt" });
  const follower = served.follow({ session: id });
  expect(await follower.event("server-question-answer")).toMatchObject({ action: "cancel", by: "nobody" });
  const late = await served.send(id, { type: "server-question-answer", questionId, action: "decline" });
  expect(late).toMatchObject({ status: 409 });
  expect(late.json.error).toMatch(/not open/);
});

/** Tests how a strict server loads, crashes, reports about itself, counts tokens and changes its model. */
import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { fakeModelName, readTemplate, startFakeServer } from "../fake-server/index.ts";
import { ask, calls, longId, picture, result, said, strictServer, system, tools } from "./conversations.ts";

const { server, use, post } = await strictServer();
const chat = "/v1/chat/completions";

async function get(path: string) {
  const answer = await fetch(server.origin + path);
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith("{") ? JSON.parse(text) : undefined };
}

const chatBody = JSON.stringify({ model: fakeModelName, stream: false, messages: [ask] });
const loadingBody = { error: { code: 503, message: "Loading model", type: "unavailable_error" } };

test("while it loads every path is answered 503, then the model is there", async () => {
  use("takes-all", { loading: { requests: 3 } });
  expect(await get("/props")).toMatchObject({ status: 503, body: loadingBody });
  expect(await get("/health")).toMatchObject({ status: 503, body: loadingBody });
  expect((await alone()).status).toBe(503);
  expect(await get("/health")).toMatchObject({ status: 200, body: { status: "ok" } });
  expect((await alone()).status).toBe(200);
});

/** Sends a chat request on a new connection. */
async function alone() {
  const agent = new Agent();
  const answer = await keptRequest(agent, chatBody);
  agent.destroy();
  return answer;
}

test("the older server lists its model while it loads, without what is known of it", async () => {
  use("takes-all", { server: "2025-08", loading: { requests: 1 } });
  expect((await get("/v1/models")).body).toMatchObject({ data: [{ owned_by: "llamacpp", meta: null }] });
  expect((await get("/props")).status).toBe(503);
  expect((await get("/v1/models")).body.data[0].meta).toMatchObject({ n_ctx_train: 131_072 });
  expect((await get("/v1/models")).body.data[0].meta).not.toHaveProperty("n_ctx");
});

test("the later server tells the context that it runs with", async () => {
  use("takes-all", { contextTokens: 9_000, loading: { requests: 1 } });
  expect((await get("/v1/models")).status).toBe(503);
  expect((await get("/v1/models")).body.data[0]).toMatchObject({
    owned_by: "llamacpp",
    meta: { n_ctx: 9_000, n_ctx_train: 131_072 },
  });
});

/** Sends a request on a connection that stays open. */
function keptRequest(agent: Agent, body: string): Promise<{ status: number; keeps: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const sent = request(server.origin + chat, { method: "POST", agent, headers }, (answer) => {
      answer.resume();
      answer.on("end", () => {
        const keeps = answer.headers.connection !== "close";
        resolve({ status: answer.statusCode ?? 0, keeps });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

test("a 503 keeps the connection and leaves the body unread, so that the next request on it is misread", async () => {
  use("takes-all", { loading: { requests: 1 } });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await keptRequest(agent, chatBody)).toEqual({ status: 503, keeps: true });
  expect(await keptRequest(agent, chatBody)).toEqual({ status: 400, keeps: false });
  expect(await keptRequest(agent, chatBody)).toEqual({ status: 200, keeps: true });
  agent.destroy();
});

test("a server that dies while it loads drops the connection and is gone", async () => {
  await using dying = await startFakeServer({
    turns: [],
    strict: { template: readTemplate("takes-all"), loading: { requests: 1, afterwards: "dies" } },
  });
  expect((await fetch(`${dying.origin}/health`)).status).toBe(503);
  await expect(fetch(`${dying.origin}/health`)).rejects.toThrow();
  await expect(fetch(`${dying.origin}/health`)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
});

test("it loads for as long as the scenario says", async () => {
  use("takes-all", { loading: { requests: Number.MAX_SAFE_INTEGER } });
  for (let times = 0; times < 50; times += 1) expect((await get("/health")).status).toBe(503);
});

test("a prompt that is too long is refused with both numbers by the later server, without by the older", async () => {
  const long = { role: "user", content: "word ".repeat(400) };
  use("takes-all", { contextTokens: 300 });
  const { status, body } = await post(chat, { messages: [long] });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    error: { type: "exceed_context_size_error", n_ctx: 300, n_prompt_tokens: expect.any(Number) },
  });
  use("takes-all", { contextTokens: 300, server: "2025-08" });
  const older = await post(chat, { messages: [long] });
  expect(older).toMatchObject({ status: 400, body: { error: { type: "invalid_request_error" } } });
  expect(JSON.stringify(older.body)).toContain("exceeds the available context size");
});

test("a model without vision fails on images on both wires; one with vision has them in its prompt", async () => {
  use("takes-all");
  const refused = await post(chat, { messages: [picture] });
  expect(refused.status).toBe(500);
  expect(refused.text).toContain("image input is not supported - hint");
  const onOllama = { role: "user", content: "What is this?", images: ["iVBORw0KGgo="] };
  expect((await post("/api/chat", { messages: [onOllama] })).status).toBe(500);
  for (const template of ["takes-all", "parts-only"] as const) {
    use(template, { seesImages: true });
    const seen = await post(chat, { messages: [picture] });
    expect(seen).toMatchObject({ status: 200, prompt: expect.stringContaining("<__media__>") });
  }
});

test("/props tells template, abilities, kinds of input and the context", async () => {
  use("single-calls", { contextTokens: 9_000, seesImages: true });
  const { body } = await get("/props");
  expect(body).toMatchObject({
    chat_template: readTemplate("single-calls"),
    chat_template_caps: {
      supports_tools: true,
      supports_tool_calls: true,
      supports_parallel_tool_calls: false,
      supports_system_role: true,
      supports_preserve_reasoning: false,
      supports_string_content: true,
      supports_typed_content: false,
      supports_object_arguments: true,
    },
    modalities: { vision: true, audio: false },
    default_generation_settings: { n_ctx: 9_000 },
  });
  expect(Object.keys(body.chat_template_caps)).toHaveLength(8);
  use("single-calls", { server: "2025-08" });
  expect((await get("/props")).body).not.toHaveProperty("chat_template_caps");
});

test("/props can be missing, forbidden, huge, or not JSON", async () => {
  use("takes-all", { props: "missing" });
  expect(await get("/props")).toMatchObject({ status: 404, body: { error: { message: "File Not Found" } } });
  use("takes-all", { props: "forbidden" });
  expect((await get("/props")).status).toBe(403);
  use("takes-all", { props: "not-json" });
  expect(await get("/props")).toMatchObject({ status: 200, body: undefined });
  use("takes-all", { props: "huge" });
  expect((await get("/props")).text.length).toBeGreaterThan(60_000_000);
});

test("Ollama tells what the model can in its list and its details", async () => {
  use("takes-all", { seesImages: true });
  const can = ["completion", "tools", "vision"];
  expect((await get("/api/tags")).body.models[0]).toMatchObject({ name: fakeModelName, capabilities: can });
  const { body } = await post("/api/show", {});
  expect(body).toMatchObject({ capabilities: can, template: readTemplate("takes-all") });
  use("three-roles");
  expect((await get("/api/tags")).body.models[0].capabilities).toEqual(["completion"]);
});

test("timings count the tokens that were read, and on the later server those from the cache", async () => {
  use("takes-all");
  const first = (await post(chat, { messages: [system, ask] })).body;
  const usage = first["usage"] as { prompt_tokens: number };
  expect(first["timings"]).toMatchObject({ cache_n: 0, prompt_n: usage.prompt_tokens });
  const more = [system, ask, said("It leaks."), { role: "user", content: "Then mend it." }];
  const second = (await post(chat, { messages: more })).body;
  const times = second["timings"] as { cache_n: number; prompt_n: number };
  expect(times.cache_n).toBeGreaterThan(0);
  expect(times.cache_n + times.prompt_n).toBe((second["usage"] as { prompt_tokens: number }).prompt_tokens);
  use("takes-all", { server: "2025-08" });
  const older = (await post(chat, { messages: [ask] })).body["timings"];
  expect(older).toHaveProperty("prompt_n");
  expect(older).not.toHaveProperty("cache_n");
});

interface Progress {
  readonly total: number;
  readonly cache: number;
  readonly processed: number;
}

async function progress(body: object): Promise<readonly Progress[]> {
  const { text } = await post(chat, { messages: [system, ask], stream: true, ...body });
  const events = text.split("\n\n").filter((line) => line.startsWith("data: {"));
  return events.flatMap((line) => JSON.parse(line.slice(6)).prompt_progress ?? []);
}

test("the later server tells how far it has read, where it is asked to", async () => {
  use("takes-all");
  const events = await progress({ return_progress: true });
  expect(events.at(0)).toMatchObject({ cache: 0, processed: 0, total: events.at(-1)?.processed });
  expect(events.map(({ processed }) => processed)).toEqual(
    events.map(({ processed }) => processed).sort((a, b) => a - b),
  );
  expect(await progress({})).toEqual([]);
  use("takes-all", { server: "2025-08" });
  expect(await progress({ return_progress: true })).toEqual([]);
});

test("the later server counts the tokens of a request, by the same rules", async () => {
  use("nine-characters");
  const { body } = await post(`${chat}/input_tokens`, { messages: [ask], tools });
  expect(body).toEqual({ input_tokens: expect.any(Number) });
  expect((await post(chat, { messages: [ask], tools })).body["usage"]).toMatchObject({
    prompt_tokens: body["input_tokens"],
  });
  const history = [ask, said("", calls(longId)), result(longId)];
  expect((await post(`${chat}/input_tokens`, { messages: history, tools })).status).toBe(400);
  use("nine-characters", { server: "2025-08" });
  expect((await post(`${chat}/input_tokens`, { messages: [ask] })).status).toBe(404);
});

test("the model changes after an answer, with its template", async () => {
  const to = { template: readTemplate("three-roles") };
  use("takes-all", { changesAfter: { answers: 1, to } });
  expect((await post(chat, { messages: [ask] })).prompt).toContain("<user>");
  expect((await post(chat, { messages: [ask] })).prompt).toContain("<u>");
  expect((await get("/props")).body.chat_template).toBe(to.template);
});

test("answers are counted, so that a history may be sent in any shape; refusals do not count", async () => {
  use("nine-characters");
  const contents = [];
  const refused = [ask, said("", calls(longId)), result(longId)];
  for (const messages of [[ask], refused, [ask, said("x"), ask, said("y"), ask]]) {
    const { body, status } = await post(chat, { messages });
    if (status === 200) {
      contents.push((body["choices"] as { message: { content: string } }[])[0]?.message.content);
    }
  }
  expect(contents).toEqual(["one", "two"]);
  expect(server.prompts).toHaveLength(2);
  expect(server.log.map((entry) => entry.refused !== undefined)).toEqual([false, true, false]);
});

test("a model that was offered no tools writes its calls as text; its own ids have 32 characters", async () => {
  const call = { name: "look_at", arguments: { place: "roof" } };
  server.use({
    turns: [{ calls: [call] }, { calls: [call] }],
    strict: { template: readTemplate("takes-all") },
  });
  const asText = await post(chat, { messages: [ask] });
  expect(asText.text).toContain("<tool_call>");
  const native = await post(chat, { messages: [ask], tools });
  const choices = native.body["choices"] as { message: { tool_calls: { id: string }[] } }[];
  expect(choices[0]?.message.tool_calls[0]?.id).toMatch(/^[A-Za-z0-9]{32}$/);
});

/** Tests images on each wire API: the server gets their bytes, and requests without images do not change. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ImageContent, JsonObject, ModelMessage } from "@localharness/protocol";
import { expect, it } from "vitest";
import { createModel, createOllamaChat, createOpenaiChat, fromAiSdk } from "../src/index.ts";
import { renderHistory } from "../src/text-calls/render-history.ts";
import { fakeModelName, startFakeServer } from "./fake-server/index.ts";
import { collect } from "./model-contract.ts";
import { createTestHttp, lsTool, user } from "./test-request.ts";

const gif: ImageContent = { mediaType: "image/gif", data: "R0lGODlhAQAB", name: "a.gif" };
const jpeg: ImageContent = { mediaType: "image/jpeg", data: "/9j/4AAQSkZJ" };
const asked: ModelMessage = { ...user("What is it?"), images: [gif, jpeg] };

type Server = Awaited<ReturnType<typeof startFakeServer>>;

const parts = [
  { type: "text", text: "What is it?" },
  { type: "image_url", image_url: { url: "data:image/gif;base64,R0lGODlhAQAB" } },
  { type: "image_url", image_url: { url: "data:image/jpeg;base64,/9j/4AAQSkZJ" } },
];

const base = { model: fakeModelName, title: "Test", http: createTestHttp() };
const wires = [
  {
    name: "Ollama",
    model: ({ origin }: Server) => createOllamaChat({ ...base, provider: "ollama", origin }),
    message: { role: "user", content: "What is it?", images: ["R0lGODlhAQAB", "/9j/4AAQSkZJ"] },
  },
  {
    name: "OpenAI",
    model: ({ baseUrl }: Server) => createOpenaiChat({ ...base, provider: "custom", baseUrl }),
    message: { role: "user", content: parts },
  },
  {
    name: "the AI SDK",
    model: ({ baseUrl: baseURL }: Server) =>
      fromAiSdk(createOpenAICompatible({ name: "fake", baseURL })(fakeModelName)),
    message: { role: "user", content: parts },
  },
];

it.each(wires)("$name gets the bytes of the images", async ({ model, message }) => {
  await using server = await startFakeServer({ turns: [{ text: "A dot." }] });
  const events = await collect(model(server), { messages: [asked, user("So?")], tools: [lsTool] });
  expect(events.at(-1)).toMatchObject({ type: "model-end" });
  expect(server.chats[0]?.body?.["messages"]).toEqual([message, { role: "user", content: "So?" }]);
});

it("messages that become one for a template keep the images of both", () => {
  const other: ModelMessage = { ...user("And this?"), images: [jpeg] };
  const first: ModelMessage = { ...user("What is it?"), images: [gif] };
  const rendered = renderHistory([first, user("Say."), other], [], { format: "hermes", resultRole: "user" });
  expect(rendered).toEqual([
    { role: "user", from: "person", content: "What is it?\n\nSay.\n\nAnd this?", images: [gif, jpeg] },
  ]);
});

it.each([
  [["completion", "vision"], true, { images: ["R0lGODlhAQAB", "/9j/4AAQSkZJ"] }],
  [["completion"], false, { content: "What is it?\n(You cannot see images, so they are left out.)" }],
  [[], undefined, { images: ["R0lGODlhAQAB", "/9j/4AAQSkZJ"] }],
])("a model with %j: it sees %s", async (capabilities, canSee, sent: JsonObject) => {
  await using server = await startFakeServer({
    turns: [{ text: "A dot." }],
    models: [{ name: fakeModelName, capabilities }],
  });
  const selected = await createModel({
    environment: {},
    model: fakeModelName,
    places: [{ provider: "ollama", baseUrl: server.origin }],
    findMs: 5_000,
  });
  expect(selected.canSee).toBe(canSee);
  await collect(selected.model, { messages: [asked], tools: [] });
  expect(server.chats[0]?.body?.["messages"]).toEqual([{ role: "user", content: "What is it?", ...sent }]);
});

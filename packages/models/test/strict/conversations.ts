/** Lists small conversations in wire form, and sends them to a strict server. */
import type { JsonObject } from "@localharness/protocol";
import { afterAll } from "vitest";
import {
  type FakeServer,
  fakeModelName,
  type OwnTemplate,
  readTemplate,
  type Strictness,
  startFakeServer,
} from "../fake-server/index.ts";

export const system: JsonObject = { role: "system", content: "Be careful." };
export const ask: JsonObject = { role: "user", content: "Look at the roof." };
export const again: JsonObject = { role: "user", content: "And at the wall." };
export const longId = "abcdefghijklmnopqrstuvwxyz012345";
export const shortId = "abcdefgh1";

export function said(content: JsonObject["content"], more: JsonObject = {}): JsonObject {
  return { role: "assistant", content: content ?? null, ...more };
}

export function calls(...ids: readonly string[]): JsonObject {
  const made = { name: "look_at", arguments: '{"place":"roof"}' };
  return { tool_calls: ids.map((id) => ({ id, type: "function", function: made })) };
}

export function result(id: string): JsonObject {
  return { role: "tool", tool_call_id: id, name: "look_at", content: "It leaks." };
}

export const thought: JsonObject = { reasoning_content: "The roof first." };
export const emptyPart: JsonObject[] = [{ type: "text", text: "" }];
export const picture: JsonObject = {
  role: "user",
  content: [
    { type: "text", text: "What is this?" },
    { type: "image_url", image_url: { url: "data:image/png;base64,iVBORw0KGgo=" } },
  ],
};

export const tools: JsonObject[] = [
  {
    type: "function",
    function: {
      name: "look_at",
      description: "Looks at a place.",
      parameters: {
        type: "object",
        properties: { place: { type: "string", description: "Where." } },
        required: ["place"],
      },
    },
  },
];

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: JsonObject;
  /** The rendered prompt. */
  readonly prompt: string | undefined;
}

/** Starts one server for all tests of a file. */
export async function strictServer(): Promise<{
  readonly server: FakeServer;
  use(template: OwnTemplate, more?: Partial<Strictness>): void;
  post(path: string, body: JsonObject): Promise<Answered>;
}> {
  const server = await startFakeServer({ turns: [] });
  afterAll(() => server.close());
  return {
    server,
    use: (template, more = {}) =>
      server.use({
        turns: [{ text: "one" }, { text: "two" }],
        strict: { template: readTemplate(template), ...more },
      }),
    async post(path, body) {
      const answer = await fetch(server.origin + path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ model: fakeModelName, stream: false, ...body }),
      });
      const text = await answer.text();
      const read = text.startsWith("{") ? (JSON.parse(text) as JsonObject) : {};
      return { status: answer.status, text, body: read, prompt: server.log.at(-1)?.prompt };
    },
  };
}

/** Checks the server around the engine, started as a program by its path like a llama-server. */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isJsonObject } from "@localharness/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeChainModel } from "./chain-model.ts";
import { answerText, families } from "./families.ts";
import { type ModelServer, ownServer, startModelServer } from "./model-server.ts";

const contextSize = 1_024;
const folder = mkdtempSync(join(tmpdir(), "lh-engine-"));
const [family] = families;
if (family === undefined) throw new Error("There is no family.");
let server: ModelServer;

beforeAll(async () => {
  const modelFile = join(folder, "model.gguf");
  const program = join(folder, "server");
  writeFileSync(modelFile, writeChainModel(family, { seesResults: true }));
  writeFileSync(program, `#!/bin/sh\nexec ${ownServer.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(program, 0o755);
  server = await startModelServer([program], { modelFile, alias: "tiny", contextSize });
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
  await expect(fetch(`${server.baseUrl}/models`)).rejects.toThrow();
});

const user = { role: "user", content: "Go on." };
const result = { role: "tool", tool_call_id: "1", content: "done" };

async function ask(body: object): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(`${server.baseUrl}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ stream: true, ...body }),
  });
  return { status: answer.status, text: await answer.text() };
}

/** Returns the joined content of all events. */
function contentOf(stream: string): string {
  const events = stream.split("\n\n").map((event) => event.replace("data: ", ""));
  return events
    .filter((event) => event.startsWith("{"))
    .map((event): string => JSON.parse(event).choices[0].delta.content ?? "")
    .join("");
}

const requests: readonly [what: string, body: object, content: string][] = [
  ["a call, as nothing was answered", { messages: [user] }, family.call.text],
  ["the answer, after a result", { messages: [user, result] }, answerText],
  ["the answer, at a temperature of 1", { messages: [user, result], temperature: 1 }, answerText],
  ["a call, at a temperature of 1", { messages: [user], temperature: 1 }, family.call.text],
  ["no more than was asked for", { messages: [user], max_tokens: 1 }, "<tool_call>"],
];

test.each(requests)("writes %s", async (_what, body, content) => {
  const { status, text } = await ask(body);
  expect(status).toBe(200);
  expect(contentOf(text)).toBe(content);
  expect(text).toMatch(/data: \[DONE\]\n\n$/);
});

const refusals: readonly [what: string, body: object, status: number, error: object][] = [
  [
    "a history that the template refuses",
    { messages: [{ role: "critic", content: "no" }] },
    500,
    { type: "server_error", message: expect.stringContaining("Unknown role: critic") },
  ],
  [
    "a prompt that is longer than the context",
    { messages: [{ ...user, content: "x".repeat(contextSize) }] },
    400,
    { type: "exceed_context_size_error", n_ctx: contextSize },
  ],
];

test.each(refusals)("refuses %s", async (_what, body, status, error) => {
  const answer = await ask(body);
  expect(answer.status).toBe(status);
  expect(JSON.parse(answer.text)).toMatchObject({ error: { code: status, ...error } });
});

test("reports its context window and the template of the model file", async () => {
  const props: unknown = await (await fetch(new URL("/props", server.baseUrl))).json();
  expect(isJsonObject(props) && props["chat_template"]).toBe(family.template);
  const models = await (await fetch(`${server.baseUrl}/models`)).json();
  expect(models).toMatchObject({ data: [{ id: "tiny", meta: { n_ctx: contextSize } }] });
});

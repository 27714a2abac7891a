/** Tests that the token count of a request passes through all wrappers of a model. */
import { expect, it } from "vitest";
import type { Http } from "../src/http/http.ts";
import {
  createModelQueue,
  createOpenaiChat,
  replayHttp,
  takeTurns,
  withTextToolCalls,
} from "../src/index.ts";
import { createProfile } from "../src/request/profile/model-profile.ts";
import { lsTool, user } from "./test-request.ts";

const image = { mediaType: "image/gif", data: "R0lGODlhAQAB" } as const;
const request = { messages: [{ ...user("Look."), images: [image] }], tools: [lsTool] };
const { signal } = new AbortController();

function serving(status: number, body: string): { http: Http; sent: { url: string; body: string }[] } {
  const sent: { url: string; body: string }[] = [];
  const exchange = { url: "", status, headers: {}, parts: [body] };
  const replay = replayHttp({ provider: "llamacpp", baseUrl: "", model: "m", exchanges: [exchange] });
  const http: Http = {
    send(one, aborted) {
      sent.push({ url: one.url, body: one.body ?? "" });
      return replay.send(one, aborted);
    },
  };
  return { http, sent };
}

function llama(http: Http, llamaServer = true, profile = createProfile()) {
  const base = { provider: "llamacpp", title: "llama.cpp", model: "m", baseUrl: "http://a/v1" };
  return createOpenaiChat({ ...base, http, llamaServer, profile });
}

it.each<{ status: number; body: string; tokens: number | undefined }>([
  { status: 200, body: '{"object":"response.input_tokens","input_tokens":123}', tokens: 123 },
  { status: 200, body: '{"input_tokens":0}', tokens: 0 },
  { status: 200, body: '{"input_tokens":"123"}', tokens: undefined },
  { status: 200, body: '{"input_tokens":-1}', tokens: undefined },
  { status: 200, body: "[]", tokens: undefined },
  { status: 200, body: "<html>", tokens: undefined },
  { status: 404, body: '{"error":{"message":"File Not Found"}}', tokens: undefined },
  { status: 500, body: '{"input_tokens":9}', tokens: undefined },
])("$status $body: $tokens", async ({ status, body, tokens }) => {
  expect(await llama(serving(status, body).http).countTokens?.(request, signal)).toBe(tokens);
});

it("counts what would be sent: without images, with tools in the prompt, whoever waits", async () => {
  const { http, sent } = serving(200, '{"input_tokens":7}');
  const model = takeTurns(
    withTextToolCalls(llama(http, true, createProfile(["no-images"])), { mode: "text" }),
    createModelQueue(1),
  );
  expect(await model.countTokens?.(request, signal)).toBe(7);
  expect(sent.map(({ url }) => url)).toEqual(["http://a/v1/chat/completions/input_tokens"]);
  const body = JSON.parse(sent[0]?.body ?? "");
  expect(body).not.toHaveProperty("tools");
  expect(JSON.stringify(body.messages)).toContain("Does ls.");
  expect(JSON.stringify(body.messages)).not.toContain(image.data);
});

it("is not requested from other servers, and does not reject when nothing listens", async () => {
  expect(withTextToolCalls(llama(serving(200, "{}").http, false)).countTokens).toBeUndefined();
  const gone = replayHttp({ provider: "llamacpp", baseUrl: "", model: "m", exchanges: [] });
  expect(await llama(gone).countTokens?.(request, signal)).toBeUndefined();
});

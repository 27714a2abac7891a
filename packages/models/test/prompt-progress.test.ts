/** Tests that prompt progress is not part of an answer: a failure after it is retried. */
import { readFileSync } from "node:fs";
import type { ModelEvent } from "@localharness/protocol";
import { expect, it } from "vitest";
import type { HttpFailure } from "../src/http/http.ts";
import { createOpenaiChat, replayHttp, withTextToolCalls } from "../src/index.ts";
import { collect } from "./model-contract.ts";
import { lsTool } from "./test-request.ts";

const whole = readFileSync(new URL("recordings/openai/llama-progress.sse.txt", import.meta.url), "utf8");
const onlyProgress = whole.slice(0, whole.indexOf("data:", whole.indexOf('"processed":2848')));
const dropped: HttpFailure = { kind: "dropped", message: "The server closed the connection." };

async function types(...answers: readonly (readonly (string | HttpFailure)[])[]): Promise<string[]> {
  const exchanges = answers.map((parts) => ({ url: "", status: 200, headers: {}, parts }));
  const http = replayHttp({ provider: "llamacpp", baseUrl: "", model: "m", exchanges });
  const retry = { tries: answers.length, firstWaitMs: 0 };
  const base = { provider: "llamacpp", title: "llama.cpp", model: "m", http, retry };
  const model = withTextToolCalls(createOpenaiChat({ ...base, baseUrl: "http://a/v1" }));
  const events = await collect(model, { messages: [], tools: [lsTool] });
  return events.map((event: ModelEvent) => event.type);
}

it("is tried again when the connection breaks while the prompt is read", async () => {
  expect(await types([onlyProgress, dropped], [whole])).toEqual([
    "prompt-progress",
    "prompt-progress",
    "model-retry",
    "prompt-progress",
    "prompt-progress",
    "prompt-progress",
    "text-delta",
    "usage",
    "model-end",
  ]);
});

it("is not retried after the first token", async () => {
  const begun = whole.slice(0, whole.indexOf('data: {"id"', whole.indexOf("Yes.")));
  expect((await types([begun, dropped], [whole])).slice(-2)).toEqual(["text-delta", "model-error"]);
});

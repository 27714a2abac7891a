/** Checks that `localharness doctor` lets a server keep the window with which it has loaded a model. */
import { createServer } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { json } from "./doctor/serve.ts";
import { configure, makePlace, run } from "./run-program.ts";

const off = { LOCALHARNESS_SANDBOX: "off" };

test.each<readonly [string, number | undefined, object, number]>([
  ["a small one that is loaded", 6_144, {}, 6_144],
  ["a large one that is loaded", 40_960, {}, 40_960],
  ["the one of the settings", 40_960, { num_ctx: 12_288 }, 12_288],
  ["that of a session, if the model is not loaded", undefined, {}, 16_384],
])("Ollama gets one window in all requests: %s", async (_title, loaded, settings, window) => {
  const { url, windows } = await serveOllama(loaded);
  const place = makePlace();
  configure(place, "config.json", JSON.stringify(settings));
  const asked = ["doctor", "--provider", "ollama", "--base-url", url, "wide"];
  const ended = await run(asked, { place, env: off });
  expect(windows.length, ended.stderr + ended.stdout).toBeGreaterThan(3);
  expect(new Set(windows)).toEqual(new Set([window]));
});

/** Starts a server with the wire API of Ollama and one model. `windows` has the window that each request named. */
async function serveOllama(loaded: number | undefined) {
  const windows: unknown[] = [];
  const models = [{ name: "wide", model: "wide", capabilities: ["completion", "tools"] }];
  const running = loaded === undefined ? [] : [{ name: "wide", model: "wide", context_length: loaded }];
  const server = createServer(async (request, response) => {
    if (request.url === "/api/tags") return json(response, { models });
    if (request.url === "/api/ps") return json(response, { models: running });
    let body = "";
    for await (const piece of request) body += piece;
    if (request.url === "/api/show") {
      return json(response, {
        capabilities: ["completion", "tools"],
        model_info: { "x.context_length": 65_536 },
      });
    }
    windows.push(JSON.parse(body).options?.num_ctx);
    const message = { role: "assistant", content: "I do not know." };
    json(response, { message, done: true, done_reason: "stop", prompt_eval_count: 90, eval_count: 5 });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return { url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`, windows };
}

/** Checks the commands `models` and `config` as whole programs. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeServer, startFakeServer } from "../packages/models/test/fake-server/index.ts";
import { configure, makePlace, run } from "./run-program.ts";

describe("models and config", () => {
  let server: FakeServer;
  beforeAll(async () => {
    server = await startFakeServer({
      turns: [{ text: "ok" }],
      models: [
        {
          name: "small:1b",
          capabilities: ["completion", "tools"],
          contextLength: 8192,
          runningContext: 4096,
        },
      ],
    });
  });
  afterAll(() => server.close());

  test("models lists the servers that were tried, the models found, and the one that would be used", async () => {
    const { code, stdout } = await run(["models"], {
      env: { OLLAMA_HOST: `127.0.0.1:${server.port}`, XAI_API_KEY: "secret-key-9" },
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /Ollama +http:\/\/127\.0\.0\.1:\d+ +1 model\n {2}small:1b +loaded, native tool calls, 4096 tokens/,
    );
    expect(stdout).toMatch(/xAI Grok +\S+ +key from XAI_API_KEY/);
    expect(stdout).toMatch(/Using small:1b of Ollama/);
    expect(stdout).not.toContain("secret-key-9");
  });

  test("models looks where the chat would, and says why no model would be used", async () => {
    const at = `http://127.0.0.1:${server.port}`;
    const named = await run(["models", "--base-url", `${at}/v1`]);
    expect(named.stdout).toMatch(
      /The server +\S+ +1 model\n {2}small:1b[\s\S]*\nUsing small:1b of the server at/,
    );
    const elsewhere = await run(["models", "--base-url", `${at}/v2`]);
    expect(elsewhere).toMatchObject({ code: 1 });
    expect(elsewhere.stdout).toMatch(/gave no list of models: .* It usually ends in \/v1.*\nCorrect this, /);
    const wrong = await run(["models", "--base-url", "nonsense"]);
    expect(wrong).toMatchObject({ code: 2, stdout: "" });
    expect(wrong.stderr).toContain('Expected a base URL like http://127.0.0.1:8080/v1, got "nonsense".');
  });

  test("without configuration the running server is used, and the person is told why", async () => {
    const ended = await run(["-p", "hi"], { env: { OLLAMA_HOST: `127.0.0.1:${server.port}` } });
    expect(ended).toMatchObject({ code: 0, stdout: "ok\n" });
    expect(ended.stderr).toMatch(/· Using small:1b of Ollama at .*: it is loaded already/);
  });

  test("config path and show", async () => {
    const place = makePlace();
    const path = configure(place, "config.json", '{"model": "demo"}');
    configure(place, "keys.json", '{"xai": "xai-0123456789wxyz"}');
    expect((await run(["config", "path"], { place })).stdout).toBe(`${path}\n`);
    const { stdout } = await run(["config", "show", "--num-ctx", "4096"], { place });
    expect(stdout).toMatch(/^model +demo +config\.json +the model$/m);
    expect(stdout).toMatch(/^num_ctx +4096 +--num-ctx +context window in tokens: /m);
    expect(stdout).toMatch(/^key of xai: \*\*\*\*wxyz$/m);
    const json = JSON.parse((await run(["config", "show", "--json"], { place })).stdout);
    expect(json).toMatchObject({
      path,
      settings: { model: { value: "demo", from: "config.json" } },
      keys: { xai: "****wxyz" },
    });
  });
});

/** Checks the phases that a model call reports before its answer, against real servers on loopback. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Model, WaitingPhase } from "@localharness/engine";
import { expect, onTestFinished, test } from "vitest";
import { createModel } from "../src/index.ts";
import { type Fault, type Scenario, startFakeServer } from "./fake-server/index.ts";
import { emptyRequest } from "./model-contract.ts";

const loading: Fault = {
  kind: "status",
  status: 503,
  body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
};
const quick = { firstWaitMs: 1, maxWaitMs: 1 };

/** Calls the model and returns its phases, each once if it is reported several times in a row. */
async function phasesOf(model: Model, seen?: (phase: string) => unknown): Promise<readonly string[]> {
  const phases: string[] = [];
  const onPhase = (phase: WaitingPhase) => {
    if (phases.at(-1) !== phase) phases.push(phase);
    seen?.(phase);
  };
  for await (const event of model.stream({ ...emptyRequest, onPhase }, new AbortController().signal)) {
    if (event.type === "text-delta" && phases.at(-1) !== "text") phases.push("text");
    if (event.type === "model-error") phases.push(event.code);
  }
  return phases;
}

async function served(scenario: Scenario, provider = "custom") {
  const server = await startFakeServer(scenario);
  const baseUrl = provider === "ollama" ? server.baseUrl.replace(/\/v1\/?$/, "") : server.baseUrl;
  const { model } = await createModel({
    provider,
    baseUrl,
    model: "fake-model",
    environment: {},
    retry: quick,
  });
  return { model, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("connecting, then reading the prompt", async () => {
  await using given = await served({ turns: [{ text: "hi" }] });
  expect(await phasesOf(given.model)).toEqual(["connecting", "reading", "text"]);
});

test("a server that refuses while it loads: one phase, however often it is asked", async () => {
  await using given = await served({ turns: [{ text: "hi", faults: Array(5).fill(loading) }] });
  expect(await phasesOf(given.model)).toEqual(["connecting", "reading", "loading", "reading", "text"]);
});

test("nothing listens: connecting, then the failure", async () => {
  const at = { provider: "custom", baseUrl: "http://127.0.0.1:9/v1", model: "m", environment: {} };
  const { model } = await createModel({ ...at, retry: { ...quick, tries: 1 } });
  expect(await phasesOf(model)).toEqual(["connecting", "connection-refused"]);
});

test("Ollama with a model that is not loaded: the first call loads it, the second does not", async () => {
  const folder = mkdtempSync(join(tmpdir(), "lh-phases-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const untilFile = join(folder, "loaded");
  const turns = [{ text: "hi", faults: [{ kind: "pause", afterEvents: 0, untilFile }] as const }];
  await using given = await served({ turns, models: [{ name: "fake-model" }] }, "ollama");
  const first = await phasesOf(given.model, (phase) => phase === "loading" && writeFileSync(untilFile, ""));
  expect(first.filter((phase) => phase !== "reading")).toEqual(["connecting", "loading", "text"]);
  expect(first.indexOf("reading")).toBeLessThan(first.indexOf("loading"));
  expect(await phasesOf(given.model)).toEqual(["connecting", "reading", "text"]);
});

test("Ollama with a loaded model", async () => {
  const models = [{ name: "fake-model", runningContext: 16_384 }];
  await using given = await served({ turns: [{ text: "hi" }], models }, "ollama");
  expect(await phasesOf(given.model)).toEqual(["connecting", "reading", "text"]);
});

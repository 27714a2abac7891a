import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createModel } from "@localharness/models";
import { expect, onTestFinished, test } from "vitest";
import { builtInTools } from "../../../src/compose/workbench.ts";
import type { Findings } from "../../../src/models/doctor/findings.ts";
import { tryModel } from "../../../src/models/doctor/try-model.ts";

const order = { count: 3, urgent: true, labels: [], address: { city: "Oslo" } };
const call = (name: string, args: object) => ({
  tool_calls: [{ index: 0, id: "c", type: "function", function: { name, arguments: JSON.stringify(args) } }],
});

/** Answers in the way of a model that calls tools; undefined for a prompt that it never answers. */
function answerTo(prompt: string, hangs: RegExp): object | undefined {
  if (hangs.test(prompt)) return undefined;
  if (/place_order/.test(prompt)) return call("place_order", order);
  if (/get_weather/.test(prompt)) return call("get_weather", { city: "Paris" });
  if (/folder src/.test(prompt)) return call("ls", { path: "src" });
  return { content: /password is (\w+)/.exec(prompt)?.[1] ?? "Hello." };
}

async function serve(hangs: RegExp, fails: RegExp) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      const prompt: string = request.method === "GET" ? "" : JSON.parse(body).messages[0].content;
      if (prompt === "") return response.writeHead(404).end();
      asked.push(prompt);
      if (fails.test(prompt)) return response.writeHead(500).end('{"error": {"message": "engine fault"}}');
      const delta = answerTo(prompt, hangs);
      if (delta === undefined) return;
      response.writeHead(200, { "content-type": "text/event-stream" });
      const choice = { index: 0, delta, finish_reason: "stop" };
      response.end(`data: ${JSON.stringify({ choices: [choice] })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked };
}

const never = /(?!)/;

/** Tries a model that never answers the prompts of `hangs`, on a server with an error at those of `fails`. */
async function trial(
  hangs: RegExp,
  limits: { readonly answerMs: number; readonly trialMs: number },
  fails = never,
) {
  const { baseUrl, asked } = await serve(hangs, fails);
  const open = async () =>
    (await createModel({ provider: "custom", baseUrl, model: "m", environment: {}, retry: { tries: 1 } }))
      .model;
  const interrupt = new AbortController().signal;
  const parts = { open, formats: [], tools: await builtInTools(), interrupt, say: () => undefined };
  const findings = await tryModel(
    { ...parts, toolSets: ["standard", "minimal"], claimed: 2_000 },
    { loadMs: 60_000, ...limits },
  );
  return { findings, asked };
}

const all: Findings["unfinished"] = ["tool calls", "several calls at once", "edits", "many tools", "window"];

test("a model that never ends its first call: nothing is concluded, and nothing more is asked", async () => {
  const { findings, asked } = await trial(/place_order/, { answerMs: 500, trialMs: 60_000 });
  expect(findings.calls).toBeUndefined();
  expect(findings.unfinished).toEqual(all);
  expect(asked).toHaveLength(2);
});

test("an edit that never ends is not a failed edit, and the other parts are tried", async () => {
  const { findings } = await trial(/fruit\.txt/, { answerMs: 2_000, trialMs: 60_000 });
  expect(findings).toMatchObject({ calls: "native", several: false, toolSet: "standard" });
  expect(findings.edit).toBeUndefined();
  expect(findings.unfinished).toEqual(["edits"]);
});

test("the end of the time ends the trial: what was found stays, and the rest is named", async () => {
  const { findings, asked } = await trial(/get_weather/, { answerMs: 60_000, trialMs: 2_000 });
  expect(findings).toMatchObject({ calls: "native", wrongTypes: [] });
  expect(findings.unfinished).toEqual(["several calls at once", "edits", "many tools", "window"]);
  expect(asked.at(-1)).toMatch(/get_weather/);
});

test.each<[string, RegExp, Partial<Findings>]>([
  ["a call", /place_order/, { broken: expect.stringContaining("engine fault"), unfinished: [] }],
  ["several calls", /get_weather/, { edit: "none", unfinished: ["several calls at once"] }],
  ["an edit", /Use the tool edit_file/, { unfinished: ["edits"] }],
  ["many tools", /folder src/, { unfinished: ["many tools"] }],
  ["a long prompt", /password of the first line/, { unfinished: ["window"] }],
])("an error of the server at %s says nothing about the model", async (_part, fails, expected) => {
  const { findings } = await trial(never, { answerMs: 60_000, trialMs: 60_000 }, fails);
  const part = findings.unfinished[0];
  expect(findings).toMatchObject(expected);
  expect(findings.calls).toBe(findings.broken === undefined ? "native" : undefined);
  if (part === "several calls at once") expect(findings.several).toBeUndefined();
  if (part === "edits") expect(findings.edit).toBeUndefined();
  if (part === "many tools") expect(findings.toolSet).toBeUndefined();
});

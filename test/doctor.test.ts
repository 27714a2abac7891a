/** Checks `localharness doctor` as a whole program, against scripted models on a real server. */
import { readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makePlace, type Place, run } from "./run-program.ts";

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}
type Reply = string | { readonly native: readonly object[] } | { readonly status: number };

const order = { count: 3, urgent: true, labels: ["red", "blue"], address: { city: "Oslo" } };
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const saysWeather = (all: string) => /for Paris and for Rome/.test(all);
const wants = (all: string) => /list the files/.test(all);

/** Answers a request natively, as a model that calls tools does. */
function native(all: string, asked: Asked, args: object = order): Reply {
  if (asked.tools === undefined) return "Hello.";
  if (saysWeather(all)) {
    return { native: [call("get_weather", { city: "Paris" }), call("get_weather", { city: "Rome" })] };
  }
  return { native: [call("place_order", args)] };
}

/** Answers like a model that knows only one format, and only if the prompt shows it. */
function written(mark: string, write: (name: string, args: object) => string) {
  return (all: string): Reply => {
    if (!all.includes(mark)) return "I cannot use tools here.";
    if (/TOOL RESULT|a\.txt/.test(all)) return "There is a.txt.";
    if (wants(all)) return write("ls", { path: "." });
    return saysWeather(all) ? write("get_weather", { city: "Paris" }) : write("place_order", order);
  };
}

const models: Readonly<Record<string, (all: string, asked: Asked) => Reply>> = {
  native,
  hermes: written(
    "<tool_call>",
    (name, args) => `<tool_call>${JSON.stringify({ name, arguments: args })}</tool_call>`,
  ),
  mistral: written(
    "[TOOL_CALLS]",
    (name, args) => `[TOOL_CALLS][${JSON.stringify({ name, arguments: args })}]`,
  ),
  announces: (all, asked) => {
    if (asked.tools === undefined) return /do not announce/.test(all) ? "No." : "Hello.";
    return /do not announce/.test(all) ? native(all, asked) : "I will now run the tool to place the order.";
  },
  types: (all, asked) => native(all, asked, { ...order, count: "three", urgent: "yes" }),
  opened: (all, asked) => {
    const answer = native(all, asked);
    return typeof answer === "string" ? `The person greets me.</think>${answer}` : answer;
  },
  broken: () => ({ status: 500 }),
};

async function serve(name: string) {
  const count = { requests: 0 };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      if (request.method === "GET") return json(response, { data: [{ id: name }] });
      count.requests += 1;
      const asked: Asked = JSON.parse(body);
      const all = asked.messages
        .map(({ content }) => JSON.stringify(content).replaceAll('\\"', '"'))
        .join("\n");
      send(response, models[name]?.(all, asked) ?? { status: 404 }, body.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, count };
}

function json(response: ServerResponse, value: object, status = 200): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

function send(response: ServerResponse, reply: Reply, chars: number): void {
  if (typeof reply === "object" && "status" in reply) {
    json(response, { error: { message: "engine fault" } }, reply.status);
    return;
  }
  const delta =
    typeof reply === "string"
      ? { content: reply }
      : {
          tool_calls: reply.native.map((one, index) => ({
            index,
            id: `c${index}`,
            type: "function",
            function: one,
          })),
        };
  const finish_reason = typeof reply === "string" ? "stop" : "tool_calls";
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta }] })}\n\n`);
  response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] })}\n\n`);
  const usage = { prompt_tokens: Math.ceil(chars / 4), completion_tokens: 12 };
  response.end(`data: ${JSON.stringify({ choices: [], usage })}\n\ndata: [DONE]\n\n`);
}

const off = { LOCALHARNESS_SANDBOX: "off" };
const doctor = (place: Place, url: string, ...more: string[]) =>
  run(["doctor", "--base-url", url, ...more], { place, env: off });
const profiles = (place: Place) => join(place.home, ".local/state/localharness/model-profiles.json");

test.each([
  {
    name: "native",
    tuning: { toolCalls: "native" },
    says: "It calls tools natively: nothing needs to be set.",
  },
  {
    name: "hermes",
    tuning: { toolCalls: "text", format: "hermes" },
    says: "the tools are described in its prompt",
  },
  {
    name: "mistral",
    tuning: { toolCalls: "text", format: "mistral" },
    says: "the tools are described in its prompt",
  },
  { name: "announces", tuning: { toolCalls: "native" }, says: "It announces steps without taking them." },
  { name: "types", tuning: { toolCalls: "native" }, says: "with the wrong type (count, urgent)" },
  {
    name: "opened",
    tuning: { toolCalls: "native", startsInReasoning: true },
    says: "Its answers begin inside a thought.",
  },
])("$name: the profile and the advice", async ({ name, tuning, says }) => {
  const place = makePlace();
  const { url } = await serve(name);
  const { code, stdout, stderr } = await doctor(place, url);
  expect(stdout + stderr).toContain(says);
  expect(code).toBe(0);
  const kept = JSON.parse(readFileSync(profiles(place), "utf8"));
  expect(kept.models[0].tried.tuning).toEqual(tuning);
  expect(statSync(profiles(place)).mode & 0o777).toBe(0o600);
});

test("a broken server is told, nothing is saved, and the exit code is 1", async () => {
  const place = makePlace();
  const { url } = await serve("broken");
  const { code, stdout } = await doctor(place, url);
  expect(stdout).toMatch(/The server did not answer properly: .*engine fault/s);
  expect(stdout).toContain("Nothing was saved.");
  expect(code).toBe(1);
});

test("a model that writes its calls as text works with its profile, not without it, and not after --forget", async () => {
  const place = makePlace({ "a.txt": "x" });
  const { url } = await serve("mistral");
  const ask = () =>
    run(["-p", "list the files", "--base-url", url, "--model", "mistral"], { place, env: off });
  expect((await ask()).stdout).toContain("I cannot use tools here.");
  expect((await doctor(place, url)).code).toBe(0);
  expect((await ask()).stdout).toContain("There is a.txt.");
  expect((await run(["doctor", "--forget", "mistral"], { place })).stdout).toBe(
    "Forgot the profile of mistral.\n",
  );
  expect((await ask()).stdout).toContain("I cannot use tools here.");
});

test("without a server the machine is checked all the same", async () => {
  const place = makePlace();
  const { code, stdout } = await doctor(place, "http://127.0.0.1:9/v1");
  expect(code).toBe(1);
  expect(stdout).toMatch(/ok +git +found/);
  expect(stdout).toContain("nothing listens there");
});

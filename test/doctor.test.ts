/** Checks `localharness doctor` as a whole program, against scripted models on a real server. */
import { readFileSync, statSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { configure, makePlace, type Place, run, start } from "./run-program.ts";

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly tools?: readonly unknown[];
}
type Reply = string | { readonly native: readonly object[] } | { readonly status: number };

const order = { count: 3, urgent: true, labels: ["red", "blue"], address: { city: "Oslo" } };
const call = (name: string, args: object) => ({ name, arguments: JSON.stringify(args) });
const saysWeather = (all: string) => /for Paris and for Rome/.test(all);
const wants = (all: string) => /list the files/.test(all);

/** The calls that make the change that the doctor asks for, by the name of the tool that it offers. */
const edits: Readonly<Record<string, object>> = {
  edit_file: { path: "fruit.txt", old_string: "yellow", new_string: "red" },
  replace_lines: { path: "fruit.txt", line_start: 2, line_end: 2, new_content: "pears: red" },
  write_file: { path: "fruit.txt", content: "apples: green\npears: red\nplums: blue\ngrapes: green" },
};

function editAsked(all: string): string | undefined {
  return all.includes("pears: yellow") ? /Use the tool (\w+)/.exec(all)?.[1] : undefined;
}

/** Returns the password that the first line of the prompt tells. */
function password(all: string): string {
  return /The password is (\w+)/.exec(all)?.[1] ?? "I see no password.";
}

/** Answers a request natively, as a model that calls tools does. */
function native(all: string, asked: Asked, args: object = order): Reply {
  if (/the password/.test(all)) return password(all);
  if (asked.tools === undefined) return "Hello.";
  const edit = editAsked(all);
  if (edit !== undefined) return { native: [call(edit, edits[edit] ?? {})] };
  if (saysWeather(all)) {
    return { native: [call("get_weather", { city: "Paris" }), call("get_weather", { city: "Rome" })] };
  }
  return { native: [call("place_order", args)] };
}

/** Answers like a model that knows only one format, and only if the prompt shows it. */
function written(mark: string, write: (name: string, args: object) => string) {
  return (all: string): Reply => {
    if (/the password/.test(all)) return password(all);
    if (!all.includes(mark)) return "I cannot use tools here.";
    const edit = editAsked(all);
    if (edit !== undefined) return write(edit, edits[edit] ?? {});
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
  /** Its edits of a part of a file never fit the file. */
  whole: (all, asked) => {
    const edit = editAsked(all);
    if (edit === "edit_file") {
      return { native: [call(edit, { path: "fruit.txt", old_string: "pear = yellow", new_string: "red" })] };
    }
    if (edit === "replace_lines") return { native: [call(edit, { ...edits[edit], line_start: 1 })] };
    return native(all, asked);
  },
  lines: (all, asked) => (editAsked(all) === "edit_file" ? "I replaced the text." : native(all, asked)),
  /** Its server keeps only the end of a longer prompt. */
  tiny: native,
  announces: (all, asked) => {
    if (/the password/.test(all)) return password(all);
    const edit = editAsked(all);
    if (edit !== undefined) return native(all, asked);
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

const tinyTokens = 2_000;

async function serve(name: string) {
  const count = { requests: 0 };
  const requests: Asked[] = [];
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
      const kept = name === "tiny" ? all.slice(-tinyTokens * 4) : all;
      requests.push(asked);
      const chars = name === "tiny" ? Math.min(body.length, tinyTokens * 4) : body.length;
      send(response, models[name]?.(kept, asked) ?? { status: 404 }, chars);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return { url: `http://127.0.0.1:${port}/v1`, count, requests };
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
  { name: "announces", tuning: { toolCalls: "native" }, says: "asked up to three times a turn to go on" },
  {
    name: "tiny",
    tuning: { toolCalls: "native", window: tinyTokens },
    says: "the model sees about 2000 tokens",
  },
  { name: "whole", tuning: { toolCalls: "native" }, says: "It changes a file only by writing all of it." },
  { name: "lines", tuning: { toolCalls: "native" }, says: "It edits files by line numbers" },
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

const editTools = ["edit_file", "replace_lines", "insert_lines", "write_file"];

test.each([
  { name: "native", offered: editTools },
  { name: "whole", offered: ["write_file"] },
  { name: "lines", offered: ["write_file", "replace_lines", "insert_lines"] },
])("$name: the tools for edits that a session offers after the trial", async ({ name, offered }) => {
  const place = makePlace();
  const { url, requests } = await serve(name);
  await doctor(place, url);
  await run(["-p", "hi", "--base-url", url, "--model", name], { place, env: off });
  const names = (requests.at(-1)?.tools ?? []).map(nameOf);
  expect(names.filter((tool) => editTools.includes(tool))).toEqual(
    editTools
      .filter((tool) => offered.includes(tool))
      .toSorted((a, b) => names.indexOf(a) - names.indexOf(b)),
  );
  expect(names).toContain("read_file");
});

function nameOf(tool: unknown): string {
  return /"name":"(\w+)"/.exec(JSON.stringify(tool))?.[1] ?? "";
}

test("a model that announces is asked once to go on before the trial, and three times after it", async () => {
  const place = makePlace();
  const { url, requests } = await serve("announces");
  const asked = async () => {
    const before = requests.length;
    await run(["-p", "work", "--base-url", url, "--model", "announces"], { place, env: off });
    return requests.length - before;
  };
  expect(await asked()).toBe(2);
  await doctor(place, url);
  expect(await asked()).toBe(4);
});

test("a thought that the prompt opens is kept apart from the answer after the trial", async () => {
  const place = makePlace();
  const { url } = await serve("opened");
  await doctor(place, url);
  const { stdout } = await run(["-p", "which password?", "--base-url", url, "--model", "opened"], {
    place,
    env: off,
  });
  expect(stdout).not.toContain("The person greets me");
});

test("a session in the window that the trial found gets the smallest set of tools", async () => {
  const place = makePlace();
  const { url, requests } = await serve("tiny");
  const offered = async () => {
    await run(["-p", "hi", "--base-url", url, "--model", "tiny"], { place, env: off });
    return (requests.at(-1)?.tools ?? []).map(nameOf);
  };
  expect((await offered()).length).toBeGreaterThan(10);
  await doctor(place, url);
  expect(await offered()).toEqual(["ls", "read_file", "grep_search", "edit_file", "write_file", "bash"]);
});

test.each([
  { how: "hangs", says: /did not answer properly|does not answer|sent nothing/ },
  { how: "junk", says: /did not answer properly/ },
  { how: "closes", says: /did not answer properly/ },
])("a server that $how: one sentence, nothing saved, exit code 1", async ({ how, says }) => {
  const place = makePlace();
  configure(place, "config.json", JSON.stringify({ limits: { first_token_seconds: 1 } }));
  const url = await serveFault(how);
  const { code, stdout } = await doctor(place, url);
  expect(stdout).toMatch(says);
  expect(stdout).toContain("Nothing was saved.");
  expect(code).toBe(1);
});

async function serveFault(how: string): Promise<string> {
  const server = createServer((request, response) => {
    if (request.method === "GET") return json(response, { data: [{ id: "faulty" }] });
    request.resume();
    if (how === "hangs") return;
    response.writeHead(200, { "content-type": "text/event-stream" });
    if (how === "junk") response.end("\u0000\u0001 no\n\n");
    else {
      response.write('data: {"choices":[{"index":0,"delta":{"content":"He"}}]}\n\n');
      setImmediate(() => response.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}

test("Ctrl+C ends the trial with exit code 130, and saves nothing", async () => {
  const place = makePlace();
  const url = await serveFault("hangs");
  const running = await start(["doctor", "--base-url", url], { place, env: off, ownGroup: true });
  await running.said("trying a plain question");
  running.child.kill("SIGINT");
  const { code, stdout } = await running.ended;
  expect(stdout).toContain("Interrupted: nothing was saved.");
  expect(code).toBe(130);
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

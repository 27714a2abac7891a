/** Checks `localharness doctor` as a whole program, against scripted models on a real server. */
import { existsSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tinyTokens } from "./doctor/scripted-models.ts";
import { json, serve } from "./doctor/serve.ts";
import { configure, makePlace, type Place, run, start } from "./run-program.ts";

const off = { LOCALHARNESS_SANDBOX: "off" };
const doctor = (place: Place, url: string, ...more: string[]) =>
  run(["doctor", "--base-url", url, ...more], { place, env: off });
const profiles = (place: Place) => join(place.home, ".local/state/localharness/model-profiles.json");

const callsAsText =
  "The server passes on no tool calls of this model. From now on the tools are described in its prompt, and its calls are read from its text.";
const oneAtATime = "It makes one call at a time, so work takes more steps.";
const callsNatively = "It calls tools natively, the best way: nothing needs to be set.";

/** The eight models, and some more. `profile` is what is saved, `row` a line of the table, `advice` all sentences. */
const eight = [
  {
    name: "native",
    profile: { tuning: { toolCalls: "native" }, edit: "text" },
    row: /tool calls +native$/m,
    advice: [callsNatively],
  },
  {
    name: "formats",
    profile: { tuning: { toolCalls: "text", format: "hermes" }, edit: "text" },
    row: /tool calls +as text, in the format hermes$/m,
    advice: [callsAsText, oneAtATime],
  },
  {
    name: "announces",
    profile: { tuning: { toolCalls: "native" }, edit: "text", announces: true },
    row: /says, does nothing +yes$/m,
    advice: [
      callsNatively,
      oneAtATime,
      "It says what it is going to do and then stops. From now on it is asked up to three times a turn to go on.",
    ],
  },
  {
    name: "types",
    profile: { tuning: { toolCalls: "native" }, edit: "text" },
    row: /argument types +wrong for count, urgent$/m,
    advice: [
      callsNatively,
      "It writes some values with the wrong type, such as a number as text (count, urgent). They are corrected where the meaning is clear.",
    ],
  },
  {
    name: "tiny",
    profile: { tuning: { toolCalls: "native", window: tinyTokens }, edit: "text" },
    row: /context window +2000 tokens: longer prompts are cut$/m,
    advice: [
      callsNatively,
      "The server cuts longer prompts: the model sees about 2000 tokens. From now on prompts stay below that. If the machine has the memory, start the server with a larger window (Ollama: --num-ctx, llama.cpp: --ctx-size).",
      "That is little: tools are described more briefly or left out, and older work is often left out of the prompt.",
    ],
  },
  {
    name: "opened",
    profile: { tuning: { toolCalls: "native", startsInReasoning: true }, edit: "text" },
    row: /thoughts +in its text, without a mark where they begin$/m,
    advice: [
      callsNatively,
      "Its answers begin inside a thought, and the server does not tell the thought from the answer. From now on they are told apart.",
    ],
  },
  {
    name: "whole",
    profile: { tuning: { toolCalls: "native" }, edit: "file" },
    row: /edits files by +writing the whole file$/m,
    advice: [
      callsNatively,
      "It changes a file only by writing all of it again. From now on it gets only the tool for that: keep files short.",
    ],
  },
  {
    name: "broken",
    profile: undefined,
    row: /^Nothing was saved\.$/m,
    advice: [
      /^The server did not answer properly: The server at http:\/\/\S+ answered 500: engine fault\.$/,
      "This says nothing about the model. Look at the server's own output, correct or restart it, then run the doctor again.",
    ],
  },
  {
    name: "hermes",
    profile: { tuning: { toolCalls: "text", format: "hermes" }, edit: "text" },
    row: /tool calls +as text, in the format hermes$/m,
    advice: [callsAsText, oneAtATime],
  },
  {
    name: "mistral",
    profile: { tuning: { toolCalls: "text", format: "mistral" }, edit: "text" },
    row: /tool calls +as text, in the format mistral$/m,
    advice: [callsAsText, oneAtATime],
  },
  {
    name: "template",
    profile: { tuning: { toolCalls: "text", format: "hermes" }, edit: "text" },
    row: /tool calls +as text, in the format hermes$/m,
    advice: [callsAsText, oneAtATime],
  },
  {
    name: "crashes",
    profile: { tuning: { toolCalls: "native" } },
    row: /edits files by +not tried$/m,
    advice: [
      callsNatively,
      "Not known, because the time was not enough or the server failed: edits. What is usual for other models holds there.",
    ],
  },
  {
    name: "lines",
    profile: { tuning: { toolCalls: "native" }, edit: "lines" },
    row: /edits files by +line numbers$/m,
    advice: [
      callsNatively,
      "It fails to repeat the text that it wants to change, but it knows the numbers of the lines. From now on it gets only the tools that change lines by number.",
    ],
  },
  {
    name: "lost",
    profile: { tuning: { toolCalls: "native" }, edit: "text", toolSet: "minimal" },
    row: /tools at once +six$/m,
    advice: [
      callsNatively,
      "It picks a wrong tool out of many. From now on it gets only the six most important ones.",
    ],
  },
] as const;

test.each(eight)(
  "$name: the profile that is saved, and the words",
  async ({ name, profile, row, advice }) => {
    const place = makePlace();
    const { url } = await serve(name);
    const { code, stdout, stderr } = await doctor(place, url);
    expect(code).toBe(profile === undefined ? 1 : 0);
    expect(stdout).toMatch(row);
    expect(adviceIn(stdout)).toEqual(advice.map(asExpected));
    expect(stderr).toMatch(/^· trying a plain question; a model that is not loaded takes longer … \d/m);
    expect(keptProfile(place)).toEqual(profile && { announces: false, ...profile });
    expect(stdout.includes(`localharness doctor --forget ${name}`)).toBe(profile !== undefined);
    const json = JSON.parse((await doctor(makePlace(), url, "--json")).stdout);
    expect(json).toMatchObject({ model: name, advice: advice.map(asExpected), checks: expect.any(Array) });
    expect(json.profile?.tuning).toEqual(profile?.tuning);
  },
);

function asExpected(words: string | RegExp) {
  return typeof words === "string" ? words : expect.stringMatching(words);
}

function adviceIn(stdout: string): readonly string[] {
  return [...stdout.matchAll(/^ {2}- (.*)$/gm)].map((found) => found[1] ?? "");
}

/** Returns the saved findings of the doctor, without times and speeds; undefined if nothing is saved. */
function keptProfile(place: Place): unknown {
  if (!existsSync(profiles(place))) return undefined;
  expect(statSync(profiles(place)).mode & 0o777).toBe(0o600);
  const { tried } = JSON.parse(readFileSync(profiles(place), "utf8")).models[0];
  const { triedAt, readsPerSecond: _reads, writesPerSecond: _writes, ...rest } = tried;
  expect(triedAt).toEqual(expect.any(Number));
  return rest;
}

const editTools = ["edit_file", "replace_lines", "insert_lines", "write_file"];

test.each([
  { name: "native", offered: editTools },
  { name: "whole", offered: ["write_file"] },
  { name: "lines", offered: ["write_file", "replace_lines", "insert_lines"] },
  { name: "lost", offered: ["edit_file", "write_file"] },
])("$name: the tools for edits that a session offers after the trial", async ({ name, offered }) => {
  const place = makePlace();
  const server = await serve(name);
  await doctor(place, server.url);
  const names = await toolsOffered(place, server, name);
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

/** Answers a message and returns the names of the tools that the model got with it. */
async function toolsOffered(
  place: Place,
  { url, requests }: Awaited<ReturnType<typeof serve>>,
  name: string,
) {
  await run(["-p", "hi", "--base-url", url, "--model", name], { place, env: off });
  return (requests.at(-1)?.tools ?? []).map(nameOf);
}

test("the setting `profiles` goes before the findings, and `tools` before both", async () => {
  const place = makePlace();
  const server = await serve("whole");
  await doctor(place, server.url);
  configure(
    place,
    "config.json",
    JSON.stringify({ profiles: { whole: { edits: "lines", tools: "minimal" } } }),
  );
  const lines = await toolsOffered(place, server, "whole");
  expect(lines).toContain("replace_lines");
  expect(lines).not.toContain("edit_file");
  expect(lines).not.toContain("git_status");
  configure(place, "config.json", JSON.stringify({ tools: ["edit_file", "ls"] }));
  expect(await toolsOffered(place, server, "whole")).toEqual(["ls", "edit_file"]);
});

test("the setting `profiles` sets the way of calls, the format and the nudges of a model that was not tried", async () => {
  const place = makePlace({ "a.txt": "x" });
  const { url, requests } = await serve("mistral", "announces");
  const mistral = { tool_calls: "text", format: "mistral" };
  configure(place, "config.json", JSON.stringify({ profiles: { mistral, "*": { nudges: 2 } } }));
  const ask = (model: string) =>
    run(["-p", "list the files", "--base-url", url, "--model", model], { place, env: off });
  expect((await ask("mistral")).stdout).toContain("There is a.txt.");
  const before = requests.length;
  await ask("announces");
  expect(requests.length - before).toBe(3);
});

test.each([
  { profiles: { a: { edits: "words" } } },
  { profiles: { a: { speed: 3 } } },
  { profiles: { a: { format: "no-such" } } },
  { profiles: { a: { nudges: 1.5 } } },
  { profiles: [] },
])("the setting %j is refused with what was expected", async (config) => {
  const place = makePlace();
  configure(place, "config.json", JSON.stringify(config));
  const { code, stderr } = await run(["-p", "hi", "--model", "demo"], { place, env: off });
  expect(code).toBe(2);
  expect(stderr).toMatch(/"profiles" expects profiles by model, such as .*docs\/doctor\.md/);
});

test("/model shows the profile, and a switch to another model changes the tools", async () => {
  const place = makePlace();
  const server = await serve("whole", "native");
  await run(["doctor", "whole", "--base-url", server.url], { place, env: off });
  const chat = async (...typed: readonly string[]) => {
    const args = ["-i", "--base-url", server.url, "--model", "native"];
    const { stdout } = await run(args, { place, env: off, stdin: `${typed.join("\n")}\n` });
    const tools = (server.requests.at(-1)?.tools ?? []).map(nameOf);
    return { stdout, edits: tools.filter((name) => editTools.includes(name)) };
  };
  const switched = await chat("/model", "/model whole", "/model", "hi");
  expect(switched.stdout).toMatch(/^\* native$/m);
  expect(switched.stdout).toMatch(/^\* whole, tried by the doctor: whole files$/m);
  expect(switched.edits).toEqual(["write_file"]);
  const back = await chat("/model whole", "/model native", "hi");
  expect(back.edits.toSorted()).toEqual(editTools.toSorted());
});

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
  const server = await serve("tiny");
  expect((await toolsOffered(place, server, "tiny")).length).toBeGreaterThan(10);
  await doctor(place, server.url);
  expect(await toolsOffered(place, server, "tiny")).toEqual([
    "ls",
    "read_file",
    "grep_search",
    "edit_file",
    "write_file",
    "bash",
  ]);
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

test("a private file that cannot be inspected is one finding among the others", async () => {
  const place = makePlace();
  // A link to itself cannot be inspected by anybody, not even by root.
  const keys = join(dirname(configure(place, "config.json", "{}")), "keys.json");
  symlinkSync(keys, keys);
  const { code, stdout } = await doctor(place, "http://127.0.0.1:9/v1");
  expect(code).toBe(1);
  expect(stdout).toMatch(/ok +settings +.*config\.json/);
  expect(stdout).toMatch(/BROKEN +private files +.*keys\.json cannot be inspected: ELOOP/);
});

test("without a server the machine is checked all the same", async () => {
  const place = makePlace();
  const { code, stdout } = await doctor(place, "http://127.0.0.1:9/v1");
  expect(code).toBe(1);
  expect(stdout).toMatch(/ok +git +\d/);
  expect(stdout).toContain("nothing listens there");
});

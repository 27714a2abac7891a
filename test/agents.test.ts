/** Checks agents in the real program: each task has a separate transcript and the permissions of the session. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SessionEvent } from "@localharness/protocol";
import { describe, expect, test } from "vitest";
import type { Scenario } from "../packages/models/test/fake-server/index.ts";
import { hangMs } from "./measures.ts";
import { hasScript } from "./run-in-terminal.ts";
import { type Ended, makePlace, type Place, run, start } from "./run-program.ts";
import { argumentsFor, serveModel } from "./serve-model.ts";
import { openTerminal } from "./terminal/open-terminal.ts";

const server = await serveModel();

const wire = () => argumentsFor(server);
const stream = (...args: string[]) => ["-p", "--output", "stream-json", ...wire(), ...args, "go"];
const give = (agent: string, task: string) => ({ name: "run_agent", arguments: { agent, task } });
const write = (path: string) => ({ name: "write_file", arguments: { path, content: "made\n" } });
const read = { name: "read_file", arguments: { path: "notes.md" } };

const writer = `---
name: writer
description: writes files
tools: [read_file, write_file]
max_iterations: 3
---
Write what you are told.
`;

function place(
  agents: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, string>> = {},
): Place {
  const made = makePlace({ "notes.md": "one\ntwo\n", ...files });
  const folder = join(made.home, ".config", "localharness", "agents");
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(agents)) writeFileSync(join(folder, name), text);
  return made;
}

function eventsOf({ stdout }: Pick<Ended, "stdout">): SessionEvent[] {
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function resultsOf(ended: Ended) {
  return eventsOf(ended).filter((event) => event.type === "tool-result");
}

/** Returns for each request the tools that it offered and its first message. */
function requests() {
  return server.chats.map(({ body }) => {
    const messages = JSON.parse(JSON.stringify(body?.["messages"] ?? []));
    const tools = JSON.parse(JSON.stringify(body?.["tools"] ?? []));
    return {
      said: String(messages[1]?.content),
      system: String(messages[0]?.content),
      tools: tools.map((tool: { function: { name: string } }) => tool.function.name),
    };
  });
}

test("two agents do their tasks in separate transcripts and report in one result each", async () => {
  server.use({
    turns: [
      { calls: [give("general", "TASK-A read the notes"), give("general", "TASK-B list the files")] },
      { text: "Both are back." },
    ],
    conversations: [
      { says: "TASK-A", turns: [{ calls: [read] }, { text: "The notes say one and two." }] },
      { says: "TASK-B", turns: [{ calls: [{ name: "ls", arguments: {} }] }, { text: "There is notes.md." }] },
    ],
  });
  const ended = await run(stream("--tools", "all", "--answer", "once"), { place: place() });
  expect(ended.code, ended.stderr).toBe(0);
  const results = resultsOf(ended);
  expect(results.map(({ toolName, result }) => [toolName, result.success])).toEqual([
    ["run_agent", true],
    ["run_agent", true],
  ]);
  expect(results[0]?.result.data).toMatch(
    /^The notes say one and two\.\n\n\[agent general: 2 iterations, 1 tool call/,
  );
  expect(results[1]?.result.data).toMatch(/^There is notes\.md\./);
  const all = requests();
  const ofAgents = all.filter(({ said }) => said.startsWith("TASK-"));
  expect(ofAgents).toHaveLength(4);
  for (const { tools, system } of ofAgents) {
    expect(system).toContain('You are the agent "general"');
    expect(tools).toContain("read_file");
    expect(tools).not.toContain("run_agent");
    expect(tools).not.toContain("write_file");
  }
  // The session's transcript has the task and the report, but not the agent's calls.
  const own = server.chats.filter(({ body }) => JSON.stringify(body).includes("You are Local Harness"));
  expect(own).toHaveLength(2);
  expect(JSON.stringify(own[1]?.body)).not.toContain('"read_file","arguments');
  const progress = eventsOf(ended).filter((event) => event.type === "tool-progress");
  expect(progress.map(({ agent, text }) => `${agent} ${text}`)).toContain(
    'general → read_file {"path":"notes.md"}',
  );
});

test("a run counts the usage of its agents", async () => {
  const scenario: Scenario = {
    turns: [{ calls: [give("general", "TASK-A")] }, { text: "Done." }],
    conversations: [{ says: "TASK-A", turns: [{ calls: [read] }, { text: "seen" }] }],
  };
  server.use(scenario);
  const events = eventsOf(await run(stream("--tools", "all", "--answer", "once"), { place: place() }));
  const sum = (type: string) =>
    events.reduce((total, event) => {
      if (event.type !== type || !("outputTokens" in event)) return total;
      return total + (event.outputTokens ?? 0);
    }, 0);
  expect(events.filter(({ type }) => type === "agent-usage")).toHaveLength(2);
  expect(sum("agent-usage")).toBeGreaterThan(0);
  server.use(scenario);
  const args = ["-p", "--output", "json", "--tools", "all", "--answer", "once", ...wire(), "go"];
  const { usage } = JSON.parse((await run(args, { place: place() })).stdout);
  expect(usage).toMatchObject({ requests: 4, outputTokens: sum("usage") + sum("agent-usage") });
});

test("model calls of agents wait for each other at a server on this machine", async () => {
  const slow: Scenario["turns"] = [{ text: "word ".repeat(12), everyMs: 15 }];
  const scenario: Scenario = {
    turns: [{ calls: [give("general", "TASK-A"), give("general", "TASK-B")] }, { text: "Both." }],
    conversations: [
      { says: "TASK-A", turns: slow },
      { says: "TASK-B", turns: slow },
    ],
  };
  const overlap = async (...more: string[]) => {
    server.use(scenario);
    const env = more.length === 0 ? {} : { LOCALHARNESS_PARALLEL_REQUESTS: more[0] ?? "" };
    const ended = await run(stream("--tools", "all"), { place: place(), env });
    expect(ended.code).toBe(0);
    const [first, second] = server.chats.filter(
      ({ body }) =>
        /TASK-[AB]"/.test(JSON.stringify(body?.["messages"])) &&
        !JSON.stringify(body).includes("You are Local Harness"),
    );
    return (second?.arrivedAt ?? 0) < (first?.closedAt ?? 0);
  };
  expect(await overlap()).toBe(false);
  expect(await overlap("2")).toBe(true);
});

describe("permissions of an agent", () => {
  const asks: Scenario = {
    turns: [{ calls: [give("writer", "TASK write a and b")] }, { text: "The agent is back." }],
    conversations: [
      {
        says: "TASK",
        turns: [{ calls: [write("a.txt")] }, { calls: [write("b.txt")] }, { text: "Wrote a." }],
      },
    ],
  };

  test("are asked for by the session with the agent's name; an allowed call runs, a denied one does not", async () => {
    server.use(asks);
    const at = place({ "writer.md": writer });
    const child = await start(["--input", "stream-json", ...wire()], { place: at, stdin: "open" });
    const send = (command: object) => child.child.stdin?.write(`${JSON.stringify(command)}\n`);
    const asked = () => eventsOf({ stdout: child.output().stdout.replace(/[^\n]*$/, "") || "\n" });
    send({ type: "user-message", content: "go" });
    for (const [count, answer] of [
      [1, { answer: "once" }],
      [2, { answer: "deny", note: "one is enough" }],
    ] as const) {
      await child.said(new RegExp(`(?:permission-request[\\s\\S]*?\\n[\\s\\S]*?){${count}}`));
      const found = asked().filter((event) => event.type === "permission-request")[count - 1];
      expect(found?.request).toMatchObject({ agent: "writer", toolName: "write_file" });
      send({ type: "permission-answer", requestId: found?.request.requestId, ...answer });
    }
    await child.said('"type":"turn-end"');
    child.child.stdin?.end();
    const ended = await child.ended;
    // A call denied in the agent's task counts as denied in the turn.
    expect(ended.code).toBe(4);
    expect(existsSync(join(at.workspace, "a.txt"))).toBe(true);
    expect(existsSync(join(at.workspace, "b.txt"))).toBe(false);
    expect(JSON.stringify(server.chats.at(-2)?.body)).toContain("one is enough");
    const audit = await run(["audit"], { place: at });
    expect(audit.stdout).toMatch(/ok +writer: write_file.*a\.txt.*you: once/);
    expect(audit.stdout).toMatch(/DENIED +writer: write_file.*b\.txt/);
    expect(audit.stdout).toMatch(/ok +run_agent/);
  });

  test("never exceed the session's tools and mode", async () => {
    server.use(asks);
    const bold = writer.replace("max_iterations: 3", "mode: bypass");
    const denied = await run(stream(), { place: place({ "writer.md": bold }) });
    expect(denied.code).toBe(4);
    expect(denied.stdout).toContain("nobody could be asked");
    server.use(asks);
    const at = place({ "writer.md": writer });
    const lacking = await run(stream("--tools", "read_file,run_agent", "--mode", "bypass"), { place: at });
    expect(lacking.stdout).toContain('"name":"run_agent"');
    expect(existsSync(join(at.workspace, "a.txt"))).toBe(false);
    expect(requests().find(({ said }) => said.startsWith("TASK"))?.tools).toEqual(["read_file"]);
  });
});

test.skipIf(!hasScript())(
  "on the screen a question names the agent, and its progress is one line",
  async () => {
    server.use({
      turns: [{ calls: [give("writer", "TASK")] }, { text: "The agent is back." }],
      conversations: [
        { says: "TASK", turns: [{ calls: [write("a.txt")] }, { text: "Wrote a.", delayMs: 500 }] },
      ],
    });
    const terminal = await openTerminal({ server, place: place({ "writer.md": writer }) });
    terminal.type("go\r");
    await terminal.waitFor(/for the agent writer[\s\S]*\[1\] Allow Once/);
    await terminal.settled();
    terminal.press("1");
    await terminal.waitFor("writer → write_file");
    await terminal.waitFor("The agent is back.");
    expect(existsSync(join(terminal.place.workspace, "a.txt"))).toBe(true);
    terminal.close();
  },
);

test("an interrupt reaches the agent, ends what it runs, and its call is answered", async () => {
  const runner = writer.replace("[read_file, write_file]", "bash").replaceAll("writer", "runner");
  server.use({
    turns: [{ calls: [give("runner", "TASK")] }, { text: "not reached" }],
    conversations: [
      {
        says: "TASK",
        turns: [
          { calls: [{ name: "bash", arguments: { command: "echo begun >&2; touch begun; sleep 60" } }] },
        ],
      },
    ],
  });
  const at = place({ "runner.md": runner });
  const child = await start(stream("--mode", "bypass"), { place: at, ownGroup: true });
  await child.said("runner");
  while (!existsSync(join(at.workspace, "begun"))) await new Promise((resolve) => setTimeout(resolve, 10));
  const pressed = performance.now();
  process.kill(-(child.child.pid ?? 0), "SIGINT");
  const ended = await child.ended;
  expect(performance.now() - pressed).toBeLessThan(hangMs);
  expect(ended.code).toBe(130);
  expect(resultsOf(ended).map(({ result }) => result.error_type)).toEqual(["cancelled"]);
  expect(eventsOf(ended).at(-1)).toMatchObject({ type: "turn-end", reason: "interrupted" });
});

const ends: [string, Scenario["turns"], RegExp][] = [
  [
    "that reaches its limit reports what it said so far",
    [
      { calls: [read] },
      { calls: [{ name: "ls", arguments: {} }] },
      { text: "Half.", calls: [write("x.txt")] },
    ],
    /Half\.[\s\S]*it reached its limit of iterations/,
  ],
  [
    "that goes in circles is stopped",
    Array.from({ length: 12 }, () => ({ text: "Again.", calls: [read] })),
    /Again\.[\s\S]*(the same calls again and again|limit of iterations)/,
  ],
  ["that says nothing is a failure", [{ text: " " }, { text: "" }], /ended without a report/],
];

test.each(ends)("an agent %s", async (_what, turns, said) => {
  server.use({
    turns: [{ calls: [give("writer", "TASK")] }, { text: "Well." }],
    conversations: [{ says: "TASK", turns }],
  });
  const text = writer.replace(
    "max_iterations: 3",
    turns.length === 12 ? "max_iterations: 40" : "max_iterations: 3",
  );
  const ended = await run(stream("--answer", "once"), { place: place({ "writer.md": text }) });
  const [only] = resultsOf(ended);
  expect(`${JSON.stringify(only?.result)} ${only?.result.data}`).toMatch(said);
  expect(eventsOf(ended).at(-1)).toMatchObject({ type: "turn-end", reason: "done" });
});

test("a call for an unknown agent is answered with the existing ones", async () => {
  server.use({ turns: [{ calls: [give("wizard", "TASK")] }, { text: "Then not." }] });
  const ended = await run(stream(), { place: place({ "writer.md": writer }) });
  expect(resultsOf(ended)[0]?.result).toMatchObject({
    error_type: "validation_failed",
    error_message: expect.stringMatching(/"general", "writer"/),
  });
});

describe("files of agents", () => {
  const hostile = writer
    .replace("description: writes files", "description: HOSTILE")
    .replaceAll("writer", "helper");
  const project = { ".localharness/agents/helper.md": hostile };
  const hello: Scenario = { turns: [{ text: "Hello." }] };
  const offered = () => JSON.stringify(server.chats[0]?.body?.["tools"]);

  test("of a project count only in a trusted folder", async () => {
    server.use(hello);
    await run(stream(), { place: makePlace(project) });
    expect(offered()).toContain("HOSTILE");
    for (const args of [[], ["--answer", "once"], ["--tools", "all", "--mode", "bypass"]]) {
      server.use(hello);
      const ended = await run(stream(...args), { place: makePlace(project, false) });
      expect(ended.code).toBe(0);
      expect(offered()).not.toContain("HOSTILE");
      expect(ended.stderr).not.toContain("helper");
    }
  });

  test("of a project cannot take a name, nor choose the model that reads the project", async () => {
    server.use(hello);
    const files = {
      ".localharness/agents/general.md": hostile.replace("name: helper", "name: general"),
      ".localharness/agents/far.md": hostile.replace("name: helper", "name: far\nmodel: openai/gpt"),
    };
    const ended = await run(stream("--tools", "all"), { place: makePlace(files) });
    expect(ended.stderr).toMatch(/general\.md is not used: there is an agent named "general" already/);
    expect(ended.stderr).toMatch(/far\.md is not used: the agents of a project cannot choose a "model"/);
    expect(offered()).not.toContain("HOSTILE");
  });

  test("are listed with their tools and limits, and with their problems", async () => {
    const agents = {
      "writer.md": writer,
      "bad.md": "no head",
      "typo.md": writer.replaceAll("writer", "typo").replace("write_file", "wrote_file"),
      "caller.md": writer.replaceAll("writer", "caller").replace("write_file", "box__send, find_tools"),
    };
    const { code, stdout, stderr } = await run(["agents"], { place: place(agents, project) });
    expect(code).toBe(0);
    expect(
      stdout
        .split("\n")
        .map((line) => line.replace(/ {2,}.*\(/, " ("))
        .sort(),
    ).toEqual([
      "",
      "caller (user; tools read_file, box__send, find_tools; at most 3 iterations)",
      "general (built-in; tools that only read)",
      "helper (project; tools read_file, write_file; at most 3 iterations)",
      "typo (user; tools read_file, wrote_file; at most 3 iterations)",
      "writer (user; tools read_file, write_file; at most 3 iterations)",
    ]);
    expect(stderr).toMatch(/bad\.md is not used: "description" expects/);
    expect(stderr).toMatch(/the agent typo lists the tool "wrote_file", which does not exist/);
    expect(stderr).not.toContain("agent caller");
  });

  test("of the person may name a model; when it is missing, the calling model is told", async () => {
    const far = (name: string) => writer.replace("max_iterations: 3", `model: ${name}`);
    const turns = [{ calls: [give("writer", "TASK")] }, { text: "Done." }];
    const models = [{ name: "fake-model" }, { name: "small-model" }];
    server.use({ turns, models, conversations: [{ says: "TASK", turns: [{ text: "Small talk." }] }] });
    const ended = await run(stream(), { place: place({ "writer.md": far("small-model") }) });
    expect(resultsOf(ended)[0]?.result.data).toContain("Small talk.");
    expect(server.chats.map(({ body }) => body?.["model"])).toEqual([
      "fake-model",
      "small-model",
      "fake-model",
    ]);
    server.use({ turns, models });
    const lost = await run(stream(), { place: place({ "writer.md": far("nowhere/none") }) });
    expect(eventsOf(lost).at(-1)).toMatchObject({ reason: "done" });
  });
});

test("the text of an agent reaches the terminal only cleaned", async () => {
  server.use({
    turns: [{ calls: [give("general", "TASK \u001b]0;x\u0007")] }, { text: "Done." }],
    conversations: [
      {
        says: "TASK",
        turns: [
          { calls: [{ name: "ls", arguments: { path: "\u001b[2J\u009bx" } }] },
          { text: "\u001b[31mred" },
        ],
      },
    ],
  });
  const ended = await run(["-p", "--tools", "all", ...wire(), "go"], { place: place() });
  expect(ended.stderr).toMatch(/ {4}general → ls/);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test expects none of them
  expect(ended.stderr + ended.stdout).not.toMatch(/[\u001b\u0007\u009b]/);
});

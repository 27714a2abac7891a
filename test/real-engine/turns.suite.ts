/**
 * Checks whole turns with a model that a real engine runs: the model writes a call token by token, the program detects it
 * and reads the file, and the model answers after it got the result.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "@localharness/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makePlace, type Place, program, run } from "../run-program.ts";
import { writeChainModel } from "./chain-model.ts";
import { answerText, type Family, families, file } from "./families.ts";
import { type ModelServer, ownServer, startModelServer } from "./model-server.ts";
import { vocabularyOf } from "./vocabulary.ts";

const contextSize = 32_768;
/** The path of a llama-server, which parses calls itself. By default `serve-engine.ts` is used, which leaves them in the text. */
const llamaServer = process.env["LLAMA_SERVER"];
const command = llamaServer === undefined ? ownServer : [llamaServer];

const wholeTurn = [
  "person: What do the notes say?",
  `call: read_file {"path":"${file.path}"}`,
  `started: read_file {"path":"${file.path}"}`,
  "result: success",
  `said: ${answerText}`,
  "end: done",
];

const folder = mkdtempSync(join(tmpdir(), "lh-engine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(() => program());

describe.each(families)("a model of the family $name", (family) => {
  const { call, answer } = vocabularyOf(family);
  const seeing = serve(family, true);
  const blind = serve(family, false);
  const place = makePlace({ [file.path]: file.text });

  test("calls, gets the result and answers", async () => {
    const { code, events, stderr } = await turn(family, seeing.baseUrl, place);
    expect(code, stderr).toBe(0);
    expect(steps(events)).toEqual(wholeTurn);
    expect(JSON.stringify(only(events, "tool-result"))).toContain(file.text.trim());
    if (llamaServer === undefined) {
      expect(only(events, "tool-call-end").map(({ format }) => format)).toEqual([family.format]);
    }
  });

  test("writes token by token, and processes only the new part of the second prompt", async () => {
    const { events } = await turn(family, seeing.baseUrl, makePlace({ [file.path]: file.text }));
    const [first, second] = only(events, "usage");
    // Servers differ in whether they count the mark that ends an answer.
    expect([call.length, call.length - 1]).toContain(first?.outputTokens);
    expect([answer.length, answer.length - 1]).toContain(second?.outputTokens);
    expect(second?.inputTokens).toBeGreaterThan(first?.inputTokens ?? Number.NaN);
    expect(second?.cachedTokens).toBeGreaterThanOrEqual((first?.inputTokens ?? Number.NaN) - 1);
    expect(second?.cachedTokens).toBeLessThan(second?.inputTokens ?? Number.NaN);
  });

  test("continues the session with earlier tool results in the prompt", async () => {
    const { code, events } = await turn(family, seeing.baseUrl, place, ["--continue"]);
    expect(code).toBe(0);
    expect(steps(events)).toEqual(["person: What do the notes say?", `said: ${answerText}`, "end: done"]);
  });

  test("does the same with its tools described in the prompt", async () => {
    const env = { LOCALHARNESS_TEXT_TOOL_CALLS: "text" };
    const { code, events } = await turn(
      family,
      seeing.baseUrl,
      makePlace({ [file.path]: file.text }),
      [],
      env,
    );
    expect(steps(events)).toEqual(wholeTurn);
    expect(code).toBe(0);
  });

  test("calls again and never answers when it cannot see results", async () => {
    const fresh = makePlace({ [file.path]: file.text });
    const { code, events } = await turn(family, blind.baseUrl, fresh, ["--iterations-per-turn", "2"]);
    expect(code).toBe(3);
    expect(only(events, "tool-call-end").map(({ name }) => name)).toEqual(["read_file", "read_file"]);
    expect(steps(events).join("\n")).not.toContain("said: ");
    expect(only(events, "turn-end").map(({ reason }) => reason)).toEqual(["iteration-limit"]);
  });
});

/** Serves a model of the family to the tests of the surrounding block. */
function serve(family: Family, seesResults: boolean): { readonly baseUrl: string } {
  let server: ModelServer | undefined;
  beforeAll(async () => {
    const modelFile = join(folder, `${family.name}-${seesResults ? "seeing" : "blind"}.gguf`);
    writeFileSync(modelFile, writeChainModel(family, { seesResults }));
    server = await startModelServer(command, { modelFile, alias: family.name, contextSize });
  });
  afterAll(() => server?.stop());
  return {
    get baseUrl() {
      if (server === undefined) throw new Error("The server has not been started.");
      return server.baseUrl;
    },
  };
}

async function turn(
  family: Family,
  baseUrl: string,
  place: Place,
  more: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const wire = ["--base-url", baseUrl, "--model", family.name];
  const how = ["-p", "--output", "stream-json", "--answer", "once"];
  const ended = await run([...how, ...wire, ...more, "What do the notes say?"], { place, env });
  const lines = ended.stdout.split("\n").filter((line) => line !== "");
  const events = lines.map((line): SessionEvent => JSON.parse(line));
  // A continued session repeats its earlier events.
  const begins = events.findLastIndex(({ type }) => type === "turn-start");
  return { code: ended.code, events: events.slice(begins), stderr: ended.stderr };
}

/** Returns the steps of a turn in order: one line for each text, and for each event that `stepOf` describes. */
function steps(events: readonly SessionEvent[]): string[] {
  const lines: string[] = [];
  let said = "";
  const finishText = () => {
    if (said.trim() !== "") lines.push(`said: ${said.trim()}`);
    said = "";
  };
  for (const event of events) {
    if (event.type === "text-delta") said += event.text;
    else if (event.type === "model-end" || event.type === "tool-call-start") finishText();
    const line = stepOf(event);
    if (line !== undefined) lines.push(line);
  }
  return lines;
}

function stepOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case "user-message":
      return `${event.from}: ${event.content}`;
    case "tool-call-end":
      return `call: ${event.name} ${argumentsText(event.arguments)}`;
    case "tool-start":
      return `started: ${event.toolName} ${argumentsText(event.arguments)}`;
    case "tool-result":
      return `result: ${event.result.success ? "success" : event.result.error_type}`;
    case "model-error":
      return `error: ${event.message}`;
    case "turn-end":
      return `end: ${event.reason}`;
    default:
      return undefined;
  }
}

/** Returns arguments as JSON text; they come as an object or as JSON text. */
function argumentsText(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? JSON.parse(value) : value);
}

function only<T extends SessionEvent["type"]>(events: readonly SessionEvent[], type: T) {
  return events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
}

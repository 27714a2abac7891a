/** Checks that the same task gives the same transcript over every API and in every text format. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type FormatId, formats } from "@localharness/detect";
import { applyEvent, emptyView, type Message, type SessionEvent } from "@localharness/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FakeServer, startFakeServer } from "../packages/models/test/fake-server/index.ts";
import { finalAnswer, fiveTools, fiveToolsFiles } from "./five-tools.ts";
import { makePlace, run } from "./run-program.ts";

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer(fiveTools());
});
afterAll(() => server.close());

function wire(api: "ollama" | "openai"): string[] {
  const address = api === "ollama" ? server.origin : server.baseUrl;
  return [
    "--provider",
    api === "ollama" ? "ollama" : "custom",
    "--base-url",
    address,
    "--model",
    "fake-model",
  ];
}

interface Outcome {
  readonly code: number | null;
  readonly messages: readonly unknown[];
  readonly notes: string;
  /** The format of each call; undefined for a native call. */
  readonly formats: readonly (string | undefined)[];
}

async function eventsOf(api: "ollama" | "openai", writtenAs?: FormatId): Promise<Outcome> {
  server.use(fiveTools(writtenAs));
  const place = makePlace(fiveToolsFiles);
  const ended = await run(["--output", "stream-json", "--answer", "once", ...wire(api), "Correct notes.md"], {
    place,
  });
  const events: SessionEvent[] = ended.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const view = events.reduce(applyEvent, emptyView);
  return {
    code: ended.code,
    messages: view.messages.map((message) => comparable(message, place.workspace)),
    notes: readFileSync(join(place.workspace, "notes.md"), "utf8"),
    formats: view.messages.flatMap((message) =>
      message.role === "assistant" ? (message.toolCalls ?? []).map(({ format }) => format) : [],
    ),
  };
}

/** Returns a message without ids, formats, times and the name of the temporary folder. */
function comparable(message: Message, workspace: string): unknown {
  const text = JSON.stringify(message)
    .replaceAll(workspace, "WORKSPACE")
    .replace(/\\"execution_time_ms\\":\d+/g, "")
    .replace(/\\"timestamp\\":\d+/g, "")
    .replace(/Execution Time: \d+ms/g, "")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/g, "TIME");
  const plain = JSON.parse(text);
  delete plain.toolCallId;
  for (const call of plain.toolCalls ?? []) {
    delete call.id;
    delete call.format;
    // APIs differ in whether arguments are an object or JSON text.
    if (typeof call.arguments === "string") call.arguments = JSON.parse(call.arguments);
  }
  if (typeof plain.content === "string") plain.content = plain.content.trim();
  return plain;
}

const said = ["I will look around.", "Now I search.", "I read it.", "I correct it.", "I check.", finalAnswer];

describe("a five-tool task", () => {
  let native: Outcome;
  beforeAll(async () => {
    native = await eventsOf("ollama");
  });

  test("works over the Ollama API", () => {
    expect(native).toMatchObject({ code: 0, notes: "# Notes\n\nBuy milk and bread.\n" });
    expect(native.messages).toHaveLength(2 + 5 * 3 + 1);
    expect(native.formats).toEqual(Array(5).fill(undefined));
    expect(native.messages.at(-1)).toEqual({ role: "assistant", content: finalAnswer });
  });

  test("gives the same transcript over the OpenAI API", async () => {
    expect(await eventsOf("openai")).toEqual(native);
  });

  test.each(formats.map(({ id }, at) => [id, at % 2 === 0 ? "openai" : "ollama"] as const))(
    "gives the same transcript with calls written as %s over the %s wire",
    async (format, api) => {
      const written = await eventsOf(api, format);
      expect(written).toEqual({ ...native, formats: written.formats });
      expect(written.formats.map((one) => typeof one)).toEqual(native.formats.map(() => "string"));
    },
  );

  test.each([
    ["ollama", undefined] as const,
    ["openai", undefined] as const,
    // What is printed follows from the transcript, which the tests above compare for every format.
    ...formats
      .filter((_, at) => at % 7 === 0)
      .map(({ id }, at) => [at % 2 === 0 ? "ollama" : "openai", id] as const),
  ])("is printed over the %s wire with calls written as %s", async (api, writtenAs) => {
    server.use(fiveTools(writtenAs));
    const place = makePlace(fiveToolsFiles);
    const ended = await run(["-p", "--answer", "once", ...wire(api), "Correct notes.md"], { place });
    expect(ended.code).toBe(0);
    // Formats differ in the white space around a call, which remains in the text.
    expect(ended.stdout.trim()).toBe(finalAnswer);
    expect(ended.stderr.split(/\s*\n\s*/).filter((line) => said.includes(line))).toEqual(said.slice(0, -1));
    expect(readFileSync(join(place.workspace, "notes.md"), "utf8")).toBe(native.notes);
  });

  test("prints the answer on stdout, and tool calls with the text before them on stderr", async () => {
    server.use(fiveTools());
    const place = makePlace(fiveToolsFiles);
    const ended = await run(["-p", "--answer", "once", ...wire("openai"), "Correct notes.md"], { place });
    expect(ended).toMatchObject({
      code: 0,
      stdout: `${finalAnswer}\n`,
    });
    expect(ended.stderr).toMatch(
      /I will look around\.\n→ ls\n {2}✓ ls [\s\S]*→ edit_file \{"path": "notes.md", /,
    );
  });

  test("each request begins with the one before", () => {
    const requests = server.chats.map((request) => JSON.stringify(request.body?.["messages"]).slice(0, -1));
    expect(requests).toHaveLength(6);
    for (const [index, request] of requests.slice(1).entries()) {
      expect(request.startsWith(requests[index] ?? "nothing")).toBe(true);
    }
    // A server given only by its address may be llama.cpp, so the program asks once for the model's properties.
    expect(
      server.log.filter((one) => !server.chats.includes(one)).map(({ path }) => path.split("?")[0]),
    ).toEqual(["/props"]);
  });
});

/** Checks in the whole program that a session outlives a small context window without losing its task. */
import { afterAll, describe, expect, test } from "vitest";
import {
  type ScriptedAnswer,
  startWindowServer,
  type WindowServerOptions,
} from "../bench/context/window-server.ts";
import { makePlace, removePlaces, run } from "./run-program.ts";

afterAll(removePlaces);

const window = 4_096;
const files = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `part-${index}.txt`,
    `part ${index}: ${"lorem ipsum ".repeat(150)}\n`,
  ]),
);

/** Reads 60 files, of which the third does not exist, and then answers. */
function readAll(index: number): ScriptedAnswer {
  const path = index === 2 ? "missing-part.txt" : `part-${index}.txt`;
  return index === 60 ? { text: "All read." } : { calls: [{ name: "read_file", arguments: { path } }] };
}

async function readParts(
  wire: (origin: string) => readonly string[],
  more: readonly string[] = [],
  lies: Pick<WindowServerOptions, "claims" | "countsNothing"> = {},
) {
  const server = await startWindowServer({
    ...lies,
    window,
    count: (body) => Math.ceil(body.length / 4),
    tooLong: "refuse",
    answerOf: readAll,
  });
  const options = ["--model", "small", "--tools", "minimal", ...more];
  const ran = await run([...wire(server.origin), ...options, "-p", "Read the parts; keep MARK-71."], {
    place: makePlace(files),
  });
  await server.close();
  return { ...ran, server };
}

describe.each<[string, (origin: string) => readonly string[], string]>([
  [
    "the API of OpenAI",
    (origin) => ["--base-url", `${origin}/v1`],
    "no longer fits into the model's context",
  ],
  [
    "the API of Ollama",
    (origin) => ["--provider", "ollama", "--base-url", origin, "--num-ctx", `${window}`],
    `no longer fits into num_ctx ${window}`,
  ],
])("%s", (_name, wire, overflow) => {
  test("60 results of 1,800 characters are read in a window of 4,096 tokens", async () => {
    const { code, stdout, stderr, server } = await readParts(wire);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "All read." });
    expect(server.prompts).toHaveLength(61);
    const last = server.prompts.at(-1)?.body ?? "";
    for (const needle of ["MARK-71", "missing-part.txt", "not_found", "part 59: lorem"])
      expect(last).toContain(needle);
    const histories = server.prompts.map(({ body }) =>
      JSON.stringify(JSON.parse(body).messages).slice(0, -1),
    );
    const changed = histories.filter(
      (history, index) => index > 0 && !history.startsWith(histories[index - 1] ?? ""),
    );
    const compactions = stderr.match(/The prompt was made shorter/g) ?? [];
    expect(compactions.length).toBeGreaterThan(0);
    // Between two compactions each prompt begins with the previous prompt.
    expect(changed).toHaveLength(compactions.length);
  });

  test.each<[string, Pick<WindowServerOptions, "claims" | "countsNothing">]>([
    ["that claims a window of 131,072 tokens", { claims: 131_072 }],
    ["that counts nothing", { countsNothing: true }],
    ["that does both", { claims: 131_072, countsNothing: true }],
  ])("a server %s: each refusal leads to a shorter prompt, and the task ends", async (_what, lies) => {
    const { code, stdout, server } = await readParts(wire, [], lies);
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: "All read." });
    expect(server.prompts).toHaveLength(61);
    const last = server.prompts.at(-1)?.body ?? "";
    for (const needle of ["MARK-71", "missing-part.txt", "not_found"]) expect(last).toContain(needle);
  });

  test("with --compact off the turn ends with an error that says what to do", async () => {
    const { code, stderr } = await readParts(wire, ["--compact", "off"]);
    expect(code).toBe(1);
    expect(stderr).toContain(overflow);
  });
});

test.each([
  [4_096, 6, 2_600],
  [16_384, 17, 10_000],
])(
  "in a window of %s tokens the model gets %s tools, and a result of at most %s characters",
  async (size, tools, chars) => {
    const server = await startWindowServer({
      window: size,
      count: (body) => Math.ceil(body.length / 4),
      tooLong: "refuse",
      answerOf: (index) =>
        index === 1 ? { text: "Read." } : { calls: [{ name: "read_file", arguments: { path: "long.txt" } }] },
    });
    const place = makePlace({ "long.txt": "one line of the long file\n".repeat(2_000) });
    const options = ["--provider", "ollama", "--base-url", server.origin, "--num-ctx", `${size}`];
    await run([...options, "--model", "small", "-p", "Read it."], { place });
    await server.close();
    const [first, second] = server.prompts.map(({ body }) => JSON.parse(body));
    expect(first.tools).toHaveLength(tools);
    const result = String(second.messages.at(-1).content);
    expect(result).toContain(" of 2000, continue with offset=");
    expect(result.length).toBeGreaterThan(chars * 0.8);
    expect(result.length).toBeLessThan(chars * 1.2);
  },
);

/** Returns the first prompt of a run in a window of this size, with instructions of 40 KB. */
async function firstPrompt(size: number, ...more: readonly string[]) {
  const server = await startWindowServer({
    window: size,
    count: () => 100,
    tooLong: "refuse",
    answerOf: () => ({ text: "Done." }),
  });
  const place = makePlace({ "AGENTS.md": "Write short functions.\n".repeat(1_700) });
  const options = ["--provider", "ollama", "--base-url", server.origin, "--num-ctx", `${size}`, "--trust"];
  await run([...options, "--model", "small", "-p", "Hello.", ...more], { place });
  await server.close();
  const { tools, messages } = JSON.parse(server.prompts[0]?.body ?? "{}");
  return { names: tools.length, tools: JSON.stringify(tools), system: String(messages[0].content) };
}

test.each([
  { size: 2_048, names: 6, explained: false, short: true },
  { size: 4_096, names: 6, explained: false, short: false },
  { size: 6_800, names: 17, explained: false, short: false },
  { size: 8_192, names: 17, explained: true, short: false },
])(
  "the system prompt, the instructions and the tools share a window of $size tokens",
  async ({ size, names, explained, short }) => {
    const prompt = await firstPrompt(size);
    expect(prompt.names).toBe(names);
    expect(prompt.tools.includes("relative to the workspace")).toBe(explained);
    expect(prompt.system.includes("The person may deny a call")).toBe(!short);
    expect(prompt.system).toContain("[cut: AGENTS.md has 39100 bytes; read_file shows the rest]");
    expect(prompt.system.length).toBeLessThan(size * 0.15 * 3 + 1_900);
    const tokens = (prompt.system.length + prompt.tools.length) / 3;
    expect(tokens).toBeLessThan(size * 0.6);
  },
);

test("tools that the person names are all there, with short descriptions", async () => {
  const prompt = await firstPrompt(4_096, "--tools", "all");
  expect(prompt.names).toBeGreaterThan(17);
  expect(prompt.tools).not.toContain("relative to the workspace");
});

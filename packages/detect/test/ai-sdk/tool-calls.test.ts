import { type FormatId, formats } from "@localharness/detect";
import { type Scenario, type ScriptedTurn, startFakeServer } from "@localharness/models/fake-server";
import { generateText, isStepCount, type LanguageModelUsage, streamText, tool } from "ai";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { modelOn } from "./middle-model.ts";

const files = { "a.txt": "alpha", "b.txt": "beta" } as Record<string, string>;

const tools = {
  read_file: tool({
    description: "Reads a file.",
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => files[path] ?? "nothing",
  }),
  write_file: tool({
    description: "Writes a file.",
    inputSchema: z.object({ path: z.string(), content: z.string(), lines: z.number().optional() }),
    execute: ({ path, content }) => `wrote ${content.length} to ${path}`,
  }),
};

const turns: readonly ScriptedTurn[] = [
  {
    text: "I read both.",
    calls: [
      { name: "read_file", arguments: { path: "a.txt" } },
      { name: "read_file", arguments: { path: "b.txt" } },
    ],
  },
  { calls: [{ name: "write_file", arguments: { path: "c d.txt", content: 'alpha\n"beta" {}\n' } }] },
  { text: "All done." },
];

interface Step {
  readonly text: string;
  readonly calls: readonly { name: string; input: unknown }[];
  readonly results: readonly unknown[];
  readonly finishReason: string;
}

const expected: readonly Step[] = [
  {
    text: "I read both.",
    calls: [
      { name: "read_file", input: { path: "a.txt" } },
      { name: "read_file", input: { path: "b.txt" } },
    ],
    results: ["alpha", "beta"],
    finishReason: "tool-calls",
  },
  {
    text: "",
    calls: [{ name: "write_file", input: { path: "c d.txt", content: 'alpha\n"beta" {}\n' } }],
    results: ["wrote 16 to c d.txt"],
    finishReason: "tool-calls",
  },
  { text: "All done.", calls: [], results: [], finishReason: "stop" },
];

interface StepLike {
  readonly text: string;
  readonly toolCalls: readonly { toolName: string; input: unknown }[];
  readonly toolResults: readonly { output: unknown }[];
  readonly finishReason: string;
  readonly usage: LanguageModelUsage;
}

function told(steps: readonly StepLike[]): Step[] {
  return steps.map((step) => ({
    text: step.text.trim(),
    calls: step.toolCalls.map(({ toolName, input }) => ({ name: toolName, input })),
    results: step.toolResults.map(({ output }) => output),
    finishReason: step.finishReason,
  }));
}

const run = { prompt: "Do it.", tools, stopWhen: isStepCount(6), maxRetries: 0 } as const;

const written: readonly (FormatId | undefined)[] = [undefined, ...formats.map((row) => row.id)];

describe("an app of the AI SDK with tools", () => {
  it.each(written)("does the whole task when calls are written as %s", async (writtenAs) => {
    const scenario: Scenario = { turns: turns.map((turn) => (writtenAs ? { ...turn, writtenAs } : turn)) };
    await using server = await startFakeServer(scenario);
    const generated = await generateText({ ...run, model: modelOn(server) });
    expect(told(generated.steps)).toEqual(expected);
    const streamed = streamText({ ...run, model: modelOn(server) });
    expect(told(await streamed.steps)).toEqual(expected);
    expect(server.chats).toHaveLength(6);
  });

  it.each(formats.map((row) => row.id))(
    "does the whole task in text mode, asked for as %s",
    async (format) => {
      const scenario: Scenario = {
        turns: turns.map((turn) => ({ ...turn, writtenAs: format })),
        refusesTools: true,
      };
      await using server = await startFakeServer(scenario);
      const model = modelOn(server, { mode: "text", format });
      expect(told((await generateText({ ...run, model })).steps)).toEqual(expected);
      expect(told(await streamText({ ...run, model }).steps)).toEqual(expected);
      for (const chat of server.chats) expect(chat.body).not.toHaveProperty("tools");
      const last = server.chats.at(-1)?.body?.["messages"];
      expect(last).toEqual([
        { role: "system", content: expect.stringContaining("read_file") },
        { role: "user", content: "Do it." },
        { role: "assistant", content: expect.stringContaining("I read both.") },
        { role: "user", content: expect.anything() },
        { role: "assistant", content: expect.stringContaining("c d.txt") },
        { role: "user", content: "TOOL RESULT (write_file):\nwrote 16 to c d.txt" },
      ]);
    },
  );

  it("keeps the beginning of each request in text mode", async () => {
    const scenario: Scenario = { turns: turns.map((turn) => ({ ...turn, writtenAs: "hermes" })) };
    await using server = await startFakeServer(scenario);
    await generateText({ ...run, model: modelOn(server, { mode: "text" }), instructions: "Be brief." });
    const requests = server.chats.map((chat) => chat.body?.["messages"] as unknown[]);
    for (const [at, messages] of requests.entries()) {
      expect(requests.at(at + 1)?.slice(0, messages.length) ?? messages).toEqual(messages);
    }
    expect(requests[0]?.[0]).toEqual({ role: "system", content: expect.stringMatching(/^Be brief\.\n\n/) });
  });
});

describe("a call that cannot be read", () => {
  it("is answered with an error, and the model can correct itself in the next step", async () => {
    const broken = '<tool_call>\n{"name": "read_file", "arguments": ["a.txt"]}\n</tool_call>';
    await using server = await startFakeServer({
      turns: [{ text: broken }, { ...turns[0], writtenAs: "hermes" }, { text: "Done." }],
    });
    const { steps, text } = await generateText({ ...run, model: modelOn(server) });
    expect(steps[0]?.content).toContainEqual(
      expect.objectContaining({ type: "tool-error", toolName: "read_file" }),
    );
    expect(steps.map((step) => step.toolResults.length)).toEqual([0, 2, 0]);
    expect(text).toBe("Done.");
  });
});

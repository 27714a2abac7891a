/** Calls every tool of a real MCP server in a whole turn of the real program, with the scripted model. */
import { expect } from "vitest";
import type { FakeServer, ScriptedCall } from "../packages/models/test/fake-server/index.ts";
import { configure, type Place, run } from "./run-program.ts";
import { argumentsFor } from "./serve-model.ts";

/** One call, and what the data that the model reads must match. */
export interface ToolCase {
  readonly tool: string;
  readonly args?: object;
  readonly data: RegExp;
}

/** The number of calls in one answer of the model, which is less than a batch takes. */
const callsOfAnswer = 10;

/**
 * Runs one turn that makes these calls, in this order, and checks each result. Checks that the calls reach every tool that the
 * server offers to the model.
 */
export async function callEveryTool(
  model: FakeServer,
  place: Place,
  entry: object,
  cases: readonly ToolCase[],
): Promise<void> {
  configure(place, "mcp.json", JSON.stringify({ mcpServers: { s: entry } }));
  configure(place, "config.json", JSON.stringify({ mcp_wait_seconds: 60 }));
  const calls = cases.map(
    ({ tool, args = {} }): ScriptedCall => ({ name: `s__${tool}`, arguments: args as never }),
  );
  const answers = Array.from({ length: Math.ceil(calls.length / callsOfAnswer) }, (_, index) => ({
    calls: calls.slice(index * callsOfAnswer, (index + 1) * callsOfAnswer),
  }));
  const large = { name: "fake-model", contextLength: 200_000 };
  model.use({ models: [large], turns: [...answers, { text: "Done." }] });
  const flags = ["--sandbox", "off", "--answer", "once"];
  const ended = await run(["-p", ...argumentsFor(model), ...flags, "go"], { place });
  expect(ended.stdout).toContain("Done.");
  const { tools = [], messages = [] } = (model.chats.at(-1)?.body ?? {}) as Partial<Request>;
  const offered = tools.map((tool) => tool.function.name).filter((name) => name.startsWith("s__"));
  expect(offered.sort()).toEqual([...new Set(calls.map(({ name }) => name))].sort());
  const results = messages.filter(({ role }) => role === "tool").map(({ content }) => JSON.parse(content));
  expect(results).toHaveLength(cases.length);
  for (const [index, { tool, data }] of cases.entries()) {
    const expected = { tool, success: true, data: expect.stringMatching(data) };
    expect({ tool, ...results[index] }).toMatchObject(expected);
  }
}

interface Request {
  readonly tools: readonly { readonly function: { readonly name: string } }[];
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

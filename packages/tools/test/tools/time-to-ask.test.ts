/** Tools that ask the session's model: their call lasts as long as the answer may take by the person's settings. */
import type { Curator, OutputSummarizer } from "@localharness/engine";
import { expect, test } from "vitest";
import type { ToolResourcesOptions } from "../../src/resources.ts";
import { createTools } from "../../src/tool-sets.ts";
import { openBench } from "../bench.ts";

/** The maximum of the setting `limits.beside_seconds`, in milliseconds. */
const longestMs = 3_600_000;
const curator: Curator = { curate: async () => undefined };
const summarizer: OutputSummarizer = { summarize: async () => undefined };

/** Resolves to the time limit of a call in milliseconds; undefined if it is the usual one. */
async function limitOf(name: string, args: Record<string, number>, options: Partial<ToolResourcesOptions>) {
  const { resources } = await openBench(options);
  const { timeoutMs } = createTools(resources).find((tool) => tool.name === name) ?? {};
  return typeof timeoutMs === "function" ? timeoutMs(args) : timeoutMs;
}

test("a command has its own time, and beside it that of the summary", async () => {
  const alone = (await limitOf("bash", { timeout: 600 }, {})) ?? 0;
  expect(alone).toBe(605_000);
  expect(await limitOf("bash", { timeout: 600 }, { summarizer })).toBeGreaterThan(alone + longestMs);
});

test("a read has the time of the choice of its lines", async () => {
  expect(await limitOf("read_file", {}, {})).toBeUndefined();
  expect(await limitOf("read_file", {}, { curator })).toBeGreaterThan(longestMs);
});

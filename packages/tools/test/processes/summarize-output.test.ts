/** The summary of an output that is too long for a result. */
import { writeSync } from "node:fs";
import { closeOutput } from "@localharness/processes/children/output-folder";
import { withSummary } from "@localharness/processes/children/summarize-output";
import { expect, test } from "vitest";
import { openBench } from "../bench.ts";

test.each([
  [false, "the whole output"],
  [true, "the beginning of the output"],
])("says what was summarised (file incomplete: %j)", async (pathIncomplete, what) => {
  const { resources } = await openBench();
  const file = resources.outputs.create();
  writeSync(file.descriptor, "ok 1\nok 2\n");
  closeOutput(file);
  const summarizer = { summarize: async ({ read }: { read(most: number): Promise<string> }) => read(100) };
  const output = { text: "ok", totalBytes: 9_000, path: file.path, pathIncomplete };
  const { text } = await withSummary({ ...resources, summarizer }, "make", output, { report: () => {} });
  expect(text).toBe(`ok\n[summary of ${what} by a model:]\nok 1\nok 2\n\n`);
});

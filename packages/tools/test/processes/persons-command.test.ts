/** Commands that the person types: what is said of an output that is too long to be shown whole. */
import { openSync } from "node:fs";
import { runPersonsCommand } from "@localharness/commands/keeping/persons-command";
import { createOutputFolder } from "@localharness/processes/children/create-output-folder";
import type { OutputFolder } from "@localharness/processes/children/output-folder";
import { expect, test } from "vitest";
import type { ToolResources } from "../../src/resources/resources.ts";
import { openBench } from "../bench.ts";

/** Returns outputs of which no byte reaches the disk. */
const onFullDisk = ({ outputs }: ToolResources) => ({
  ...outputs,
  create: () => ({ path: "/dev/full", descriptor: openSync("/dev/full", "w") }),
});

test.runIf(process.platform === "linux").each<[string, (resources: ToolResources) => OutputFolder, RegExp]>([
  ["its file", ({ outputs }) => outputs, /\[5000 bytes; the whole output is in \/\S+\.txt\]/],
  ["the file of its beginning", onFullDisk, /\[5000 bytes; the beginning of the output is in \/dev\/full\]/],
  [
    "that no file could be written",
    () => createOutputFolder("/dev/null/nowhere"),
    /\[the whole output could not be kept: the disk is full or not writable\]/,
  ],
])("names %s", async (_, outputsOf, line) => {
  const { resources } = await openBench({ resultLimit: () => 600 });
  const kept = { ...resources, outputs: outputsOf(resources) };
  const never = new AbortController().signal;
  const { output } = await runPersonsCommand(
    kept,
    { sessionId: "s", command: "head -c 5000 /dev/zero | tr '\\0' x; kill -9 $$" },
    never,
    () => {},
  );
  expect(output).toMatch(new RegExp(`x\\n${line.source}\\n\\[ended by SIGKILL\\]\\n$`));
});

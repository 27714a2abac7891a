/** Cuts a result that is longer than its share of the context window, and keeps the whole text in a file of the session. */
import { writeSync } from "node:fs";
import type { Tool, ToolOutput } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import { cutText } from "./cut-text.ts";
import { createOutputCapture } from "./processes/capture-output.ts";
import { describeOutput } from "./processes/describe-output.ts";
import { closeOutput, type OutputFolder } from "./processes/output-folder.ts";
import type { ToolResources } from "./resources.ts";

type Keeping = Pick<ToolResources, "resultLimit" | "outputs">;

/**
 * Returns a text unchanged if its number of bytes is at most the result limit. Shortens a longer text to its beginning, its
 * end and the lines that look like errors, and adds the path of the file that has the whole text. Bytes count, because a
 * character that has several takes more of the model's window.
 */
export function cutResult({ resultLimit, outputs }: Keeping, text: string): string {
  const maxBytes = resultLimit();
  const bytes = Buffer.from(text);
  if (bytes.length <= maxBytes) return text;
  const capture = createOutputCapture(maxBytes, outputs, { keepsNul: true });
  // The capture may free the memory of its input, so it gets a buffer that nothing else uses.
  capture.push(bytes);
  return describeOutput(capture.finish()).trimEnd();
}

/**
 * Returns a short text unchanged. Shortens a long text to its first lines, and adds a note: the number of the other
 * lines, the file that has all lines, and `advice` on how to ask for less.
 */
export function cutRows({ resultLimit, outputs }: Keeping, text: string, advice: string): string {
  return cutText(text, resultLimit(), (leftOut) => {
    const path = keepWhole(outputs, text);
    return `[... ${leftOut} more lines; ${path === undefined ? "" : `all are in ${path}: read_file reads it by offset and limit. Or `}${advice}]`;
  });
}

/** Writes a text to a file that only the person can read and that ends with the session. Returns its path; undefined if that fails. */
export function keepWhole(outputs: OutputFolder, text: string): string | undefined {
  try {
    const file = outputs.create();
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSync(file.descriptor, bytes, at);
    } finally {
      closeOutput(file);
    }
    return file.path;
  } catch {
    return undefined;
  }
}

/** A result may exceed its limit by this number of characters, because a tool may add a note about its own cut. */
const noteChars = 1_000;

/** Returns the tool, whose results are now cut if they exceed the result limit by more than `noteChars`. */
export function withinShare(tool: Tool, keeping: Keeping): Tool {
  return {
    ...tool,
    async execute(args, context) {
      const output = await tool.execute(args, context);
      const { data } = output;
      if (data === undefined || data.length <= keeping.resultLimit() + noteChars) return output;
      const cut = cutResult(keeping, data);
      return { ...output, ...defined({ data: cut }) } as ToolOutput;
    },
  };
}

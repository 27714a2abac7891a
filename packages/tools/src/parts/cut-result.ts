/** Cuts a result that is longer than its share of the context window, and keeps the whole text in a file of the session. */
import { writeSync } from "node:fs";
import type { Tool, ToolOutput } from "@localharness/engine";
import { createOutputCapture } from "@localharness/processes/children/capture-output";
import { describeOutput } from "@localharness/processes/children/describe-output";
import { closeOutput, type OutputFolder } from "@localharness/processes/children/output-folder";
import { countText, defined } from "@localharness/protocol";
import { cutText } from "@localharness/workspace/cut-text";

export interface Keeping {
  readonly outputs: OutputFolder;
  resultLimit(): number;
}

/**
 * Returns a text unchanged if its number of bytes is at most the result limit. Shortens a longer text to its beginning, its
 * end and the lines that look like errors, and adds a line that names the file with the whole text, or says that there is
 * none. Bytes count, because a character that has several takes more of the model's window.
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
 * Returns a text unchanged if its number of characters is at most the result limit. Shortens a longer text to its first
 * lines, and adds a note: the number of lines left out, the file with all lines if it could be written, and `advice` on how
 * to ask for less.
 */
export function cutRows({ resultLimit, outputs }: Keeping, text: string, advice: string): string {
  return cutText(text, resultLimit(), (leftOut) => {
    const path = keepWhole(outputs, text);
    return `[... ${countText(leftOut, "more line")}; ${path === undefined ? "" : `all are in ${path}: read_file reads it by offset and limit. Or `}${advice}]`;
  });
}

/**
 * Writes a text to a new file, which only the person can read and which is removed at the end of the session. Returns its
 * path; undefined if that fails.
 */
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

/** Returns a copy of the tool that cuts results which exceed the result limit by more than `noteChars`. */
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

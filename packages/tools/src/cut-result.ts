/** Cuts a long result that comes from outside of this program, in the same way as the output of commands. */
import { createOutputCapture } from "./processes/capture-output.ts";
import { describeOutput } from "./processes/describe-output.ts";
import type { ToolResources } from "./resources.ts";

/** Returns the text. A long text is cut in the middle, and a line names the file that contains the whole text. */
export function cutResult(
  { resultLimit, outputs }: Pick<ToolResources, "resultLimit" | "outputs">,
  text: string,
): string {
  const limit = resultLimit();
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const capture = createOutputCapture(limit, outputs, { keepsNul: true });
  // The capture may free the memory of its input, so it gets a buffer that nothing else uses.
  capture.push(bytes);
  return describeOutput(capture.finish()).trimEnd();
}

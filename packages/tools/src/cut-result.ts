/** Cuts a result that comes from outside of this program as long results of commands are cut. */
import { createOutputCapture } from "./processes/capture-output.ts";
import { describeOutput } from "./processes/describe-output.ts";
import type { ToolResources } from "./resources.ts";

/** Returns the text; of a long one the beginning and the end, with the path of the file that has all of it. */
export function cutResult(
  { resultLimit, outputs }: Pick<ToolResources, "resultLimit" | "outputs">,
  text: string,
): string {
  const limit = resultLimit();
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  const capture = createOutputCapture(limit, outputs, { keepsNul: true });
  // The capture may release the memory that it gets, so it gets memory of which nothing else is used.
  capture.push(bytes);
  return describeOutput(capture.finish()).trimEnd();
}

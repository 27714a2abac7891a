/** Adds a summary to an output that is too long for a result. */
import type { OutputSummarizer, ToolContext } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import { type CapturedOutput, createOutputCapture } from "./capture-output.ts";
import { keptPart } from "./describe-output.ts";
import type { OutputFolder } from "./output-folder.ts";

/** Resolves to the output, with the summary as its last lines if there is one. */
export async function withSummary(
  { outputs, summarizer }: { readonly outputs: OutputFolder; readonly summarizer?: OutputSummarizer },
  command: string,
  output: CapturedOutput,
  { aside, report }: Pick<ToolContext, "aside" | "report">,
): Promise<CapturedOutput> {
  const { path, text } = output;
  if (path === undefined || summarizer === undefined) return output;
  const long = { command, read: (most: number) => readShortened(outputs, path, most) };
  const summary = await summarizer.summarize(long, { report, ...defined({ aside }) });
  if (summary === undefined) return output;
  const end = text.endsWith("\n") ? "" : "\n";
  return { ...output, text: `${text}${end}[summary of ${keptPart(output)} by a model:]\n${summary}\n` };
}

/** A folder that takes no file, because the whole output is kept already. */
const nowhere: Pick<OutputFolder, "create"> = {
  create() {
    throw new Error("the whole output is kept already");
  },
};

/** Reads a kept output. Leaves out lines of its middle if it has more than `most` bytes. Rejects if it cannot be read. */
async function readShortened(outputs: OutputFolder, path: string, most: number): Promise<string> {
  const opened = outputs.open(path);
  if (!opened.ok) throw new Error(opened.message);
  using file = opened.value;
  const capture = createOutputCapture(most, nowhere);
  // The capture frees the memory of its pieces.
  for await (const piece of file.pieces()) capture.push(Buffer.from(piece));
  return capture.finish().text;
}

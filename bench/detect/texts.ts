/** Creates the texts to read: replies of several shapes, with calls in one of four formats. */
import { detect, type ToolSchema } from "@localharness/detect";

export type CallFormat = "hermes" | "morph-xml" | "yaml-xml" | "qwen-coder";
export type Shape =
  | "prose only"
  | "one call at the end"
  | "500 calls"
  | "near-markers"
  | "one call with all of it";

export interface Text {
  readonly text: string;
  /** The number of calls in the text; undefined when readers may differ. */
  readonly calls: number | undefined;
}

export const shapes: readonly Shape[] = [
  "prose only",
  "one call at the end",
  "500 calls",
  "near-markers",
  "one call with all of it",
];

const names =
  "read_file write_file ls grep_search bash edit_file git_status git_diff mkdir remove add_task list_tasks";
export const tools: readonly ToolSchema[] = names.split(" ").map((name) => ({
  name,
  description: "",
  parameters: { type: "object", properties: { path: { type: "string" }, content: { type: "string" } } },
}));

const prose =
  "The quick brown fox reads a lot of files and writes them back to the list of tasks; it's a matter of habit, isn't it?\n" +
  "Let me see what we have [1] here: `code`, a < b, {x}, and nothing else that a reader would stop for.\n";
const content = 'export const answer = "forty-two"; // what the reader wrote down\n';
const nearMarkers =
  '<tool_cal <tool_call <|tool [TOOL ``` {"na [{ read_file write_file( <fun </think> Tool: <｜tool ';

export function makeText(shape: Shape, format: CallFormat, length: number): Text {
  switch (shape) {
    case "prose only":
      return { text: repeat(prose, length), calls: 0 };
    case "one call at the end":
      return { text: `${repeat(prose, length - 200)}\n${writeCall(format, "short")}`, calls: 1 };
    case "500 calls": {
      const one = writeCall(format, "short");
      const between = repeat(prose, Math.max(1, length / 500 - one.length - 2));
      return { text: `${between}\n${one}\n`.repeat(500), calls: 500 };
    }
    case "near-markers":
      return { text: repeat(nearMarkers, length), calls: undefined };
    case "one call with all of it":
      return { text: writeCall(format, repeat(content, length)), calls: 1 };
  }
}

/** Returns only the arguments of the growing call, as a native stream delivers them. */
export function makeArguments(length: number): string {
  return JSON.stringify({ path: "a.txt", content: repeat(content, length) });
}

/** Returns true if our detector reads a call of this format back. White space at the ends of the content may differ. */
export function isWellWritten(format: CallFormat): boolean {
  const { text } = makeText("one call with all of it", format, 1000);
  const end = detect(text, { tools }).find((event) => event.type === "tool-call-end");
  return (
    end?.name === "write_file" && String(end.arguments["content"]).trim() === repeat(content, 1000).trim()
  );
}

function writeCall(format: CallFormat, body: string): string {
  switch (format) {
    case "hermes":
      return `<tool_call>\n${JSON.stringify({ name: "write_file", arguments: { path: "a.txt", content: body } })}\n</tool_call>`;
    case "morph-xml":
      return `<write_file>\n<path>a.txt</path>\n<content>${body}</content>\n</write_file>`;
    case "yaml-xml":
      return `<write_file>\npath: a.txt\ncontent: |\n  ${body.replaceAll("\n", "\n  ")}\n</write_file>`;
    case "qwen-coder":
      return `<tool_call>\n<function=write_file>\n<parameter=path>\na.txt\n</parameter>\n<parameter=content>\n${body}\n</parameter>\n</function>\n</tool_call>`;
  }
}

/** Returns text of that length as one flat string, so that slicing it costs every reader the same. */
function repeat(text: string, length: number): string {
  const size = Math.floor(length);
  return Buffer.from(text.repeat(Math.ceil(size / text.length)).slice(0, size)).toString();
}

/** Adds tools to the cases of the corpus. A text without calls proves little if no tool is on offer. */
import type { ToolSchema } from "@localharness/detect";
import type { Case } from "./case.ts";

/** Returns an ordinary tool whose parameters are texts. */
function ordinary(name: string, ...keys: readonly string[]): ToolSchema {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: "string" }]));
  return { name, parameters: { type: "object", properties, required: keys.slice(0, 1) } };
}

const ordinaryTools: readonly ToolSchema[] = [
  ordinary("read_file", "path"),
  ordinary("write_file", "path", "content"),
  ordinary("edit_file", "path", "old_string", "new_string"),
  ordinary("bash", "command"),
  ordinary("grep_search", "pattern", "path"),
  ordinary("ls", "path"),
  ordinary("web_search", "query"),
  ordinary("get_weather", "city", "unit"),
  ordinary("send_message", "message", "to"),
  ordinary("git_status"),
];

/**
 * Returns a function that returns a copy of a case with more tools: the ordinary ones, and each tool of any of `cases` whose
 * name is a word of the case's text. The case's own tools come first, and win over others of the same name.
 */
export function offersFor(cases: readonly Case[]): (one: Case) => Case {
  const known = new Map<string, ToolSchema>();
  for (const { function: tool } of cases.flatMap((one) => one.tools)) {
    if (!known.has(tool.name)) known.set(tool.name, tool);
  }
  return (one) => {
    const words = new Set(
      one.text.match(/[\p{L}\p{N}_.:-]+/gu)?.flatMap((word) => [word, ...word.split(/[.:-]/)]),
    );
    const named = [...known.values()].filter(({ name }) => words.has(name));
    const tools = new Map<string, ToolSchema>();
    for (const tool of [...one.tools.map((each) => each.function), ...named, ...ordinaryTools]) {
      if (!tools.has(tool.name)) tools.set(tool.name, tool);
    }
    return { ...one, tools: [...tools.values()].map((tool) => ({ function: tool })) };
  };
}

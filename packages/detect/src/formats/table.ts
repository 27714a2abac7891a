/** The one table of formats: what each is called, who writes it, what it looks like, and how it begins. */
import { fenceOpener } from "../frames/fence.ts";
import type { Opener } from "../scan/session.ts";
import type { FormatId, ToolSchema } from "../types.ts";
import type { Format, FormatInfo } from "./format.ts";
import { jsonFormats } from "./json-formats.ts";
import { markerFormats } from "./marker-formats.ts";
import { plainFormats } from "./plain-formats.ts";
import { pythonFormats } from "./python-formats.ts";
import { tagFormats } from "./tag-formats.ts";
import { xmlFormats } from "./xml-formats.ts";

/** Of several formats with one opener the first that can read what follows takes it. */
const table: readonly Format[] = [
  ...jsonFormats,
  ...tagFormats,
  ...markerFormats,
  ...pythonFormats,
  ...xmlFormats,
  ...plainFormats,
];

/** Every format the detector knows. */
export const formats: readonly FormatInfo[] = table;

/** The openers of the chosen formats; fences are always watched, because what they quote is no call. */
export function openersOf(ids: ReadonlySet<FormatId>, tools: readonly ToolSchema[]): Opener[] {
  const openers = table.filter((row) => ids.has(row.id)).flatMap((row) => row.openers(tools));
  return [...withoutTwins(openers), fenceOpener("```"), fenceOpener("~~~")];
}

/** Several plain formats share one reader of objects and one of lists. */
function withoutTwins(openers: readonly Opener[]): Opener[] {
  const seen = new Set<string>();
  return openers.filter((opener) => {
    if (opener.literal !== "{" && opener.literal !== "[") return true;
    const key = `${opener.literal}${opener.format}`;
    const isNew = !seen.has(key);
    seen.add(key);
    return isNew;
  });
}

export function allFormatIds(): FormatId[] {
  return table.map((row) => row.id);
}

/**
 * The formats that a model is known to write, most likely first: by its chat template, in which the marks of a format stand,
 * and by its name. Empty when nothing is known.
 */
export function formatsForModel(model: string, template?: string): readonly FormatId[] {
  const name = model.toLowerCase().replace(/[^a-z0-9.]/g, "");
  const byName = table
    .map((row) => ({ id: row.id, length: longest(row.models.filter((family) => name.includes(family))) }))
    .filter((row) => row.length > 0)
    .sort((left, right) => right.length - left.length)
    .map((row) => row.id);
  const byTemplate =
    template === undefined ? undefined : templateMarks.find(([mark]) => template.includes(mark))?.[1];
  return [...new Set(byTemplate === undefined ? byName : [byTemplate, ...byName])];
}

function longest(names: readonly string[]): number {
  return Math.max(0, ...names.map((name) => name.length));
}

/** What stands in the chat template of a model of each format, the more telling marks first. */
const templateMarks: readonly (readonly [string, FormatId])[] = [
  ["<seed:tool_call>", "seed-oss"],
  ["]<]minimax[>[", "minimax-m3"],
  ["<minimax:tool_call>", "minimax"],
  ["｜DSML｜", "dsml"],
  ["steptml:", "step3"],
  ["atem:", "glimmer"],
  ["<arg_key>", "glm"],
  ["<function=", "qwen-coder"],
  ["<param name=", "minicpm"],
  ["<｜tool▁call", "deepseek"],
  ["<|tool_calls_section_begin|>", "kimi-k2"],
  ["<|open|>", "kimi-k3"],
  ["<|channel|>", "harmony"],
  ["[TOOL_CALLS]", "mistral"],
  ["<start_function_call>", "functiongemma"],
  ['<|"|>', "gemma"],
  ["<|tool_call_start|>", "lfm2"],
  ["<function_calls>", "olmo3"],
  ["<|START_ACTION|>", "cohere"],
  ["<|action_start|>", "internlm"],
  ["<|tools_prefix|>", "apertus"],
  ["<longcat_tool_call>", "longcat"],
  ["<TOOLCALL>", "nemotron"],
  ["functools[", "functools"],
  ["<|function_call|>", "gigachat"],
  ["<tool_calls>", "tool-call-list"],
  ["<|tool_call|>", "granite"],
  ["<tool_call>", "hermes"],
  ["<|python_tag|>", "llama3"],
  [">>>", "functionary"],
];

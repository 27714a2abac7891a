/** The one table of formats: what each is called, who writes it, what it looks like, and how it begins. */
import { fenceOpener } from "./frames/fence.ts";
import { type JsonFrame, jsonFrameOpener } from "./frames/json-frame.ts";
import { nameCallOpeners } from "./frames/name-call.ts";
import { plainListOpener, plainObjectOpener } from "./frames/plain-json.ts";
import { strayEndOpener } from "./frames/stray-end.ts";
import { toolLinesOpeners } from "./frames/tool-lines.ts";
import { plainTags, type TagStyle } from "./markup/tag.ts";
import { type TagFrame, tagFrameOpener } from "./markup/tag-frame.ts";
import type { Opener } from "./scan/session.ts";
import type { FormatId, ToolSchema } from "./types.ts";

/** A row of the table: an id, a title, the model families that write it, and one call as they write it. */
export interface FormatInfo {
  readonly id: FormatId;
  readonly title: string;
  /** Parts of model names, in lower case. */
  readonly models: readonly string[];
  readonly example: string;
}

interface Format extends FormatInfo {
  readonly openers: (tools: readonly ToolSchema[]) => readonly Opener[];
}

const hermesFrames: readonly JsonFrame[] = [
  { open: "<tool_call>", ends: ["</tool_call>"], format: "hermes" },
  { open: "<function_call>", ends: ["</function_call>"], format: "hermes" },
  { open: "<tools>", ends: ["</tools>"], format: "hermes", certainty: "plain" },
  { open: "<response>", ends: ["</response>"], format: "hermes", certainty: "plain" },
  { open: "<json>", ends: ["</json>"], format: "hermes", certainty: "plain" },
  { open: "<JSON>", ends: ["</JSON>"], format: "hermes", certainty: "plain" },
  { open: "<xml>", ends: ["</xml>"], format: "hermes", certainty: "plain" },
  { open: "<tool_calls>", ends: ["</tool_calls>"], format: "hermes" },
];

const qwenCoderFrames: readonly TagFrame[] = [
  { open: "<tool_call>", format: "qwen-coder", style: plainTags, frames: ["tool_call"], repeats: true },
  ...["<function=", "<function name=", "<functionname=", "<call="].map((open) => ({
    open,
    format: "qwen-coder" as const,
    style: plainTags,
    frames: ["tool_call"],
    bare: true,
    repeats: true,
  })),
];

const seedFrame: TagFrame = {
  open: "<seed:tool_call>",
  format: "seed-oss",
  style: plainTags,
  frames: ["seed:tool_call"],
};

const minimaxFrames: readonly TagFrame[] = [
  { open: "<minimax:tool_call>", format: "minimax", style: plainTags, frames: ["minimax:tool_call"] },
  { open: "<function_calls>", format: "minimax", style: plainTags, frames: ["function_calls"] },
  { open: "<invoke name=", format: "minimax", style: plainTags, frames: ["minimax:tool_call"], bare: true },
];

const dsmlStyle: TagStyle = { open: "<｜DSML｜", close: "</｜DSML｜", end: ">" };
const dsmlNames = ["function_calls", "tool_calls"];
const dsmlFrames: readonly TagFrame[] = [
  { open: "<｜DSML｜function_calls>", format: "dsml", style: dsmlStyle, frames: dsmlNames },
  { open: "<｜DSML｜tool_calls>", format: "dsml", style: dsmlStyle, frames: dsmlNames },
  { open: "<｜DSML｜invoke", format: "dsml", style: dsmlStyle, frames: dsmlNames, bare: true },
];

const onyxFrame: JsonFrame = { open: "<tool>", ends: ["</tool>"], format: "onyx" };

function frameOpeners(frames: readonly JsonFrame[]): Opener[] {
  return frames.flatMap((frame) => [
    jsonFrameOpener(frame),
    ...frame.ends.map((end) => strayEndOpener(end, frame.format)),
  ]);
}

function tagOpeners(frames: readonly TagFrame[]): Opener[] {
  return frames.flatMap((frame) => [
    tagFrameOpener(frame),
    ...(frame.bare
      ? []
      : frame.frames.map((name) =>
          strayEndOpener(`${frame.style.close}${name}${frame.style.end}`, frame.format),
        )),
  ]);
}

const jsonRows: readonly Format[] = [
  {
    id: "hermes",
    title: "JSON in <tool_call> tags",
    models: ["hermes", "qwen2.5", "qwen2", "qwen3", "qwq", "granite4", "granite-4", "mimo", "reka"],
    example: '<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>',
    openers: () => frameOpeners(hermesFrames),
  },
  {
    id: "onyx",
    title: "JSON in <tool> tags",
    models: [],
    example: '<tool>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool>',
    openers: () => frameOpeners([onyxFrame]),
  },
  {
    id: "json",
    title: "JSON in prose",
    models: ["llama3.1", "llama-3.1", "llama3.2", "llama-3.2", "llama3.3", "llama-3.3"],
    example: '{"name": "read_file", "arguments": {"path": "a.txt"}}',
    openers: () => [plainObjectOpener()],
  },
  {
    id: "json-list",
    title: "A JSON list",
    models: ["xlam"],
    example: '[{"name": "read_file", "arguments": {"path": "a.txt"}}]',
    openers: () => [plainListOpener()],
  },
  {
    id: "openai",
    title: "The objects of the OpenAI API, as text",
    models: [],
    example: '{"type": "function", "function": {"name": "read_file", "arguments": {"path": "a.txt"}}}',
    openers: () => [],
  },
  {
    id: "tool-args",
    title: "JSON with tool and args",
    models: [],
    example: '{"tool": "read_file", "args": {"path": "a.txt"}}',
    openers: () => [],
  },
  {
    id: "fenced-json",
    title: "JSON in a code fence",
    models: [],
    example: '```json\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n```',
    openers: () => [],
  },
  {
    id: "ralph-lines",
    title: "Tool and Arguments lines",
    models: [],
    example: 'Tool: read_file\nArguments: {"path": "a.txt"}',
    openers: () => toolLinesOpeners(),
  },
  {
    id: "name-call",
    title: "A function call with one JSON object",
    models: [],
    example: 'read_file({"path": "a.txt"})',
    openers: (tools) => nameCallOpeners(tools),
  },
];

const tagRows: readonly Format[] = [
  {
    id: "qwen-coder",
    title: "One tag per argument, in <tool_call>",
    models: [
      "qwen3-coder",
      "qwen3coder",
      "qwen3.5",
      "qwen3.6",
      "qwen3-next",
      "nemotron-3",
      "step-3.5",
      "mimo",
      "k-exaone",
    ],
    example:
      "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
    openers: () => tagOpeners(qwenCoderFrames),
  },
  {
    id: "seed-oss",
    title: "One tag per argument, in <seed:tool_call>",
    models: ["seed-oss"],
    example:
      "<seed:tool_call>\n<function=read_file>\n<parameter=path>a.txt</parameter>\n</function>\n</seed:tool_call>",
    openers: () => tagOpeners([seedFrame]),
  },
  {
    id: "minimax",
    title: "invoke and parameter tags",
    models: ["minimax-m2"],
    example:
      '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    openers: () => tagOpeners(minimaxFrames),
  },
  {
    id: "dsml",
    title: "DSML",
    models: ["deepseek-v3.2", "deepseek-v4"],
    example:
      '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    openers: () => tagOpeners(dsmlFrames),
  },
];

const table: readonly Format[] = [...jsonRows, ...tagRows];

export const formats: readonly FormatInfo[] = table;

/** The openers of the chosen formats; fences are always watched, because what they quote is no call. */
export function openersOf(ids: ReadonlySet<FormatId>, tools: readonly ToolSchema[]): Opener[] {
  const rows = table.filter((row) => ids.has(row.id));
  const plain = ["json", "openai", "tool-args", "fenced-json"] as const;
  const object = plain.some((id) => ids.has(id)) && !ids.has("json") ? [plainObjectOpener()] : [];
  const list =
    (ids.has("openai") || ids.has("fenced-json")) && !ids.has("json-list") ? [plainListOpener()] : [];
  return [
    ...rows.flatMap((row) => row.openers(tools)),
    ...object,
    ...list,
    fenceOpener("```"),
    fenceOpener("~~~"),
  ];
}

export function allFormatIds(): FormatId[] {
  return table.map((row) => row.id);
}

/** The formats that a model is known to write, most likely first; empty when nothing is known. */
export function formatsForModel(model: string, template?: string): readonly FormatId[] {
  const name = model.toLowerCase();
  const known = table.filter((row) => row.models.some((family) => name.includes(family)));
  if (known.length > 0) return known.map((row) => row.id);
  return template?.includes("<tool_call>") ? ["hermes"] : [];
}

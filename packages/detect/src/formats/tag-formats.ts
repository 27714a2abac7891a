/** Formats with one tag per argument. */
import { channelOpeners } from "../channels/channel-openers.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { glmOpeners } from "../markup/glm-frame.ts";
import { plainTags, type TagStyle } from "../markup/tag.ts";
import { type TagFrame, tagFrameOpener } from "../markup/tag-frame.ts";
import type { Opener } from "../scan/session.ts";
import type { FormatId } from "../types.ts";
import type { Format } from "./format.ts";

type FramePart = Omit<TagFrame, "format">;

function row(
  id: FormatId,
  title: string,
  models: readonly string[],
  example: string,
  frames: readonly FramePart[],
  marks: readonly string[] = [],
): Format {
  return {
    id,
    title,
    models,
    example,
    openers: () => [
      ...frames.flatMap((frame) => tagOpeners({ ...frame, format: id })),
      ...marks.map((mark) => strayEndOpener(mark, id, true)),
    ],
  };
}

function tagOpeners(frame: TagFrame): Opener[] {
  const ends = frame.bare ? [] : frame.frames.map((name) => `${frame.style.close}${name}${frame.style.end}`);
  return [tagFrameOpener(frame), ...ends.map((end) => strayEndOpener(end, frame.format))];
}

/** A tag with a prefix in its name: `<｜DSML｜invoke>`, `</｜DSML｜invoke>`. */
function prefixed(prefix: string): TagStyle {
  return { open: `<${prefix}`, close: `</${prefix}`, end: ">" };
}

const dsml = prefixed("｜DSML｜");
const dsmlNames = ["function_calls", "tool_calls"];
const steptml = prefixed("steptml:");
const atem: TagStyle = { ...prefixed("atem:"), strayEnd: "<|message|>" };
const minimaxM3: TagStyle = { open: "]<]minimax[>[<", close: "]<]minimax[>[</", end: ">" };
const k3: TagStyle = { open: "<|open|>", close: "<|close|>", end: "<|sep|>" };
const qwenBare = ["<function=", "<call="];
const minicpmBare = ["<function name=", "<functionname=", "<functionĠname="];

export const tagFormats: readonly Format[] = [
  row(
    "qwen-coder",
    "Function and parameter tags in <tool_call>",
    ["qwen3coder", "qwen3.5", "qwen3.6", "qwen3.8", "nemotron3", "step3.5", "kexaone"],
    "<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n</function>\n</tool_call>",
    [
      { open: "<tool_call>", style: plainTags, frames: ["tool_call"], repeats: true },
      ...qwenBare.map((open) => ({
        open,
        style: plainTags,
        frames: ["tool_call"],
        bare: true,
        repeats: true,
      })),
    ],
  ),
  row(
    "seed-oss",
    "Function and parameter tags in <seed:tool_call>",
    ["seedoss"],
    "<seed:tool_call>\n<function=read_file>\n<parameter=path>a.txt</parameter>\n</function>\n</seed:tool_call>",
    [{ open: "<seed:tool_call>", style: plainTags, frames: ["seed:tool_call"] }],
  ),
  row(
    "minimax",
    "Invoke and parameter tags",
    ["minimaxm2"],
    '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    [
      { open: "<minimax:tool_call>", style: plainTags, frames: ["minimax:tool_call"] },
      { open: "<function_calls>", style: plainTags, frames: ["function_calls"] },
      { open: "<invoke name=", style: plainTags, frames: ["minimax:tool_call"], bare: true },
    ],
  ),
  row(
    "minimax-m3",
    "Tags behind a mark, named like the parameters",
    ["minimaxm3"],
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>a.txt]<]minimax[>[</path>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
    [{ open: "]<]minimax[>[<tool_call>", style: minimaxM3, frames: ["tool_call"], keyTags: true }],
  ),
  row(
    "dsml",
    "DSML tags",
    ["deepseekv3.2", "deepseekv4"],
    '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
    [
      { open: "<｜DSML｜function_calls>", style: dsml, frames: dsmlNames, keepsLayout: true },
      { open: "<｜DSML｜tool_calls>", style: dsml, frames: dsmlNames, keepsLayout: true },
      { open: "<｜DSML｜invoke", style: dsml, frames: dsmlNames, bare: true, keepsLayout: true },
    ],
  ),
  row(
    "step3",
    "StepTML tags",
    ["step3"],
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a.txt</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
    [{ open: "<steptml:invoke", style: steptml, frames: [], bare: true }],
    [
      "<｜tool_calls_begin｜>",
      "<｜tool_call_begin｜>function<｜tool_sep｜>",
      "<｜tool_call_begin｜>",
      "<｜tool_call_end｜>",
      "<｜tool_calls_end｜>",
    ],
  ),
  row(
    "minicpm",
    "Function and param tags without a frame",
    ["minicpm"],
    '<function name="read_file"><param name="path">a.txt</param></function>',
    minicpmBare.map((open) => ({
      open,
      style: plainTags,
      frames: [],
      bare: true,
      entities: true,
      strict: true,
    })),
  ),
  {
    id: "glimmer",
    title: "ATEM tags in a message to the tool",
    models: ["glimmer"],
    example:
      ' to=read_file<|message|><atem:function_calls>\n<atem:invoke name="read_file">\n<atem:parameter name="path">a.txt</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>',
    openers: () =>
      channelOpeners("glimmer", [
        tagFrameOpener({
          open: "<atem:function_calls>",
          format: "glimmer",
          style: atem,
          frames: ["function_calls"],
          keepsLayout: true,
          untyped: "json",
        }),
      ]),
  },
  row(
    "kimi-k3",
    "Open, close and sep marks",
    ["kimik3"],
    '<|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a.txt<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    [{ open: "<|open|>tools<|sep|>", style: k3, frames: ["tools"], keepsLayout: true }],
    ["<|open|>response<|sep|>", "<|close|>response<|sep|>", "<|close|>message<|sep|>"],
  ),
  {
    id: "glm",
    title: "Pairs of arg_key and arg_value tags",
    models: ["glm", "laguna", "hunyuan3", "hy3"],
    example: "<tool_call>read_file\n<arg_key>path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>",
    openers: () => glmOpeners(),
  },
];

/**
 * Tags, each with a mark before it. The tag of an argument has the argument's name. Written by MiniMax M3:
 *
 *     ]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="read_file">]<]minimax[>[<path>a.txt]<]minimax[>[</path>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>
 *
 * Objects and lists are tags inside a value.
 */
import type { TagStyle } from "../markup/tag.ts";
import type { JsonValue } from "../types.ts";
import { args, laidOut } from "../write/tag-text.ts";
import type { Format } from "./format.ts";
import { tagFormat } from "./framed-format.ts";

const mark = "]<]minimax[>[";
const tags: TagStyle = { open: `${mark}<`, close: `${mark}</`, end: ">" };

export const minimaxM3: Format = tagFormat({
  frames: [
    { open: `${mark}<tool_call>`, style: tags, frames: ["tool_call"], keyTags: true },
    { open: `${mark}<invoke`, style: tags, frames: ["tool_call"], keyTags: true, bare: true },
  ],
  write: (calls) => {
    const written = calls.map((call) => {
      const body = args(call, (key, value) => `${mark}<${key}>${valueText(value)}${mark}</${key}>`, "");
      return `${mark}<invoke name="${call.name}">${body}${mark}</invoke>`;
    });
    return `${mark}<tool_call>${written.join("")}${mark}</tool_call>`;
  },
});

/** Returns a value as text. A list or an object becomes JSON in which nothing looks like a tag. */
function valueText(value: JsonValue): string {
  if (typeof value !== "object" || value === null) return laidOut(value);
  return JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("&", "\\u0026");
}

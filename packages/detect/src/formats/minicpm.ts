/**
 * A function tag and param tags without a frame. Written by MiniCPM:
 *
 *     <function name="read_file"><param name="path">a.txt</param></function>
 *
 * Values are XML text or CDATA. In some replies the opening tag has no space, or has `Ġ` in its place.
 */
import { plainTags } from "../markup/tag.ts";
import { args, escaped, laidOut } from "../write/tag-text.ts";
import { each } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { tagFormat } from "./framed-format.ts";

const opens = ["<function name=", "<functionname=", "<functionĠname="];

export const minicpm: Format = tagFormat({
  frames: opens.map((open) => ({
    open,
    style: plainTags,
    frames: [],
    bare: true,
    entities: true,
    strict: true,
  })),
  write: each((call) => {
    const body = args(call, (key, value) => `<param name="${key}">${escaped(laidOut(value))}</param>`, "");
    return `<function name="${call.name}">${body}</function>`;
  }),
});

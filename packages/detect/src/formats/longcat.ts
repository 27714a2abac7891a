/**
 * JSON in tags with a prefix. Written by LongCat:
 *
 *     <longcat_tool_call>
 *     {"name":"read_file","arguments":{"path":"a.txt"}}
 *     </longcat_tool_call>
 *
 * Later models write the name and pairs of `<longcat_arg_key>` and `<longcat_arg_value>` in the same frame.
 */
import { longcatPairsOpener, longcatUnframedOpeners } from "../markup/glm-frame.ts";
import { around } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

const framed = jsonFormat({
  frames: [{ open: "<longcat_tool_call>", ends: ["</longcat_tool_call>"] }],
  more: [longcatPairsOpener()],
  write: around("<longcat_tool_call>\n", "\n</longcat_tool_call>"),
});

export const longcat: Format = {
  ...framed,
  openers: (tools, id) => [...framed.openers(tools, id), ...longcatUnframedOpeners(tools)],
};

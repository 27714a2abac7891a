/**
 * Tags in the namespace atem, in a message to the tool. Written by Glimmer:
 *
 *      to=read_file<|message|><atem:function_calls>
 *     <atem:invoke name="read_file">
 *     <atem:parameter name="path">a.txt</atem:parameter>
 *     </atem:invoke>
 *     </atem:function_calls><|eom|>
 *
 * In an answer and outside of messages the same tags are text.
 */
import { channelOpeners } from "../channels/channel-openers.ts";
import type { TagStyle } from "../markup/tag.ts";
import { tagFrameOpener } from "../markup/tag-frame.ts";
import { args, lines } from "../write/tag-text.ts";
import { plainValue } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { prefixedTags } from "./framed-format.ts";

const tags: TagStyle = { ...prefixedTags("atem:"), strayEnd: "<|message|>" };

const frame = {
  format: "glimmer",
  style: tags,
  frames: ["function_calls"],
  keepsLayout: true,
  untyped: "json",
} as const;

export const glimmer: Format = {
  openers: () =>
    channelOpeners([
      tagFrameOpener({ ...frame, open: "<atem:function_calls>" }),
      // Some models leave out the frame.
      tagFrameOpener({ ...frame, open: "<atem:invoke", bare: true }),
    ]),
  write: (calls) => {
    const written = calls.map((call) =>
      lines(
        `<atem:invoke name="${call.name}">`,
        args(call, (key, value) => `<atem:parameter name="${key}">${plainValue(value)}</atem:parameter>`),
        "</atem:invoke>",
      ),
    );
    const to = calls[0]?.name ?? "user";
    return ` to=${to}<|message|>${lines("<atem:function_calls>", ...written, "</atem:function_calls>")}<|eom|>`;
  },
  // A message to a tool cannot follow bare text: the text becomes a message to the person.
  writeWords: (words) => ` to=user<|message|>${words}<|eom|><|start|>assistant`,
};

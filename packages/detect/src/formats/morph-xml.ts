/**
 * A tag with the name of the tool, and tags with the names of its arguments inside. Some prompts ask for it:
 *
 *     <read_file>
 *     <path>a.txt</path>
 *     </read_file>
 *
 * Texts are XML; objects and lists are tags inside a value. The name may also be on a separate line before the tags.
 */
import { args, escaped, lines } from "../write/tag-text.ts";
import { each } from "../write/written-call.ts";
import { lineCallOpeners } from "../xml/line-call.ts";
import { namedTagOpeners } from "../xml/named-tag.ts";
import type { Format } from "./format.ts";

export const morphXml: Format = {
  openers: (tools) => [...namedTagOpeners(tools, "morph-xml"), ...lineCallOpeners(tools)],
  write: each((call) => {
    const body = args(call, (key, value) => `<${key}>${escaped(value)}</${key}>`);
    return lines(`<${call.name}>`, body, `</${call.name}>`);
  }),
};

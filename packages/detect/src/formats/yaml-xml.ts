/**
 * A tag with the name of the tool, and a YAML mapping inside. Some prompts ask for it:
 *
 *     <read_file>
 *     path: a.txt
 *     </read_file>
 */
import { lines } from "../write/tag-text.ts";
import { each } from "../write/written-call.ts";
import { yamlMapping } from "../write/yaml-text.ts";
import { namedTagOpeners } from "../xml/named-tag.ts";
import type { Format } from "./format.ts";

export const yamlXml: Format = {
  openers: (tools) => namedTagOpeners(tools, "yaml-xml"),
  write: each((call) => lines(`<${call.name}>`, yamlMapping(call.arguments), `</${call.name}>`)),
};

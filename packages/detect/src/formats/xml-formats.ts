/** Formats in which a tag is named like the tool. */
import { lineCallOpeners } from "../xml/line-call.ts";
import { namedTagOpeners } from "../xml/named-tag.ts";
import type { Format } from "./format.ts";

export const xmlFormats: readonly Format[] = [
  {
    id: "morph-xml",
    title: "A tag named like the tool, tags named like the arguments",
    models: [],
    example: "<read_file>\n<path>a.txt</path>\n</read_file>",
    openers: (tools) => [...namedTagOpeners(tools, "morph-xml"), ...lineCallOpeners(tools)],
  },
  {
    id: "yaml-xml",
    title: "A tag named like the tool, YAML inside",
    models: [],
    example: "<read_file>\npath: a.txt\n</read_file>",
    openers: (tools) => namedTagOpeners(tools, "yaml-xml"),
  },
];

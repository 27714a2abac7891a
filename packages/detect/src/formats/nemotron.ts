/**
 * A list in `<TOOLCALL>` tags. Written by Nemotron Nano:
 *
 *     <TOOLCALL>[{"name":"read_file","arguments":{"path":"a.txt"}}]</TOOLCALL>
 */
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const nemotron: Format = jsonFormat({
  frames: [{ open: "<TOOLCALL>", ends: ["</TOOLCALL>"] }],
  write: (calls) => `<TOOLCALL>${asList(calls)}</TOOLCALL>`,
});

/**
 * Calls in Python's syntax between tags, one on each line. Written by OLMo 3:
 *
 *     <function_calls>read_file(path="a.txt")</function_calls>
 */
import { strayEndOpener } from "../frames/stray-end.ts";
import { pythonFrameOpener } from "../python/python-frame.ts";
import { pythonCall } from "../write/python-text.ts";
import type { Format } from "./format.ts";

const open = "<function_calls>";
const end = "</function_calls>";

export const olmo3: Format = {
  openers: () => [pythonFrameOpener({ open, ends: [end], format: "olmo3" }), strayEndOpener(end, "olmo3")],
  write: (calls) => `${open}${calls.map(pythonCall).join("\n")}${end}`,
};

/**
 * A list of calls in Python's syntax between marks. Written by LFM2:
 *
 *     <|tool_call_start|>[read_file(path="a.txt")]<|tool_call_end|>
 *
 * JSON between the same marks is read as well.
 */
import { jsonFrameOpener } from "../frames/json-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { pythonFrameOpener } from "../python/python-frame.ts";
import { pythonCall } from "../write/python-text.ts";
import type { Format } from "./format.ts";

const open = "<|tool_call_start|>";
const end = "<|tool_call_end|>";

export const lfm2: Format = {
  openers: () => [
    jsonFrameOpener({ open, ends: [end], format: "lfm2" }),
    pythonFrameOpener({ open, ends: [end], format: "lfm2" }),
    strayEndOpener(end, "lfm2", true),
  ],
  write: (calls) => `${open}[${calls.map(pythonCall).join(", ")}]${end}`,
};

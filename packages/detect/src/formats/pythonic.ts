/**
 * A list of calls in Python's syntax, without markup. Written by Llama 3.2, Llama 4, ToolACE:
 *
 *     [read_file(path="a.txt")]
 *
 * Calls between marks are read as well.
 */
import { strayEndOpener } from "../frames/stray-end.ts";
import { pythonFrameOpener, pythonListOpener } from "../python/python-frame.ts";
import { pythonCall } from "../write/python-text.ts";
import type { Format } from "./format.ts";

export const pythonic: Format = {
  openers: () => [
    pythonListOpener(),
    pythonFrameOpener({ open: "<|python_start|>", ends: ["<|python_end|>"], format: "pythonic" }),
    pythonFrameOpener({
      open: "<|python_tag|>",
      ends: ["<|eom_id|>", "<|eot_id|>"],
      format: "pythonic",
      endOptional: true,
    }),
    pythonFrameOpener({ open: "<tool_call>", ends: ["</tool_call>"], format: "pythonic", shared: true }),
    strayEndOpener("<|python_end|>", "pythonic", true),
  ],
  write: (calls) => `[${calls.map(pythonCall).join(", ")}]`,
};

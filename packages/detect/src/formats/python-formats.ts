/** Formats in Python's syntax. */
import { jsonFrameOpener } from "../frames/json-frame.ts";
import { strayEndOpener } from "../frames/stray-end.ts";
import { pythonFrameOpener, pythonListOpener } from "../python/python-frame.ts";
import type { Format } from "./format.ts";

export const pythonFormats: readonly Format[] = [
  {
    id: "pythonic",
    title: "A list of Python calls",
    models: ["llama3.2", "llama4", "toolace"],
    example: '[read_file(path="a.txt")]',
    openers: () => [
      pythonListOpener(),
      pythonFrameOpener({ open: "<|python_start|>", ends: ["<|python_end|>"], format: "pythonic" }),
      pythonFrameOpener({ open: "<|python_tag|>", ends: ["<|eom_id|>", "<|eot_id|>"], format: "pythonic" }),
      strayEndOpener("<|python_end|>", "pythonic", true),
    ],
  },
  {
    id: "lfm2",
    title: "Python calls between marks",
    models: ["lfm2"],
    example: '<|tool_call_start|>[read_file(path="a.txt")]<|tool_call_end|>',
    openers: () => [
      jsonFrameOpener({ open: "<|tool_call_start|>", ends: ["<|tool_call_end|>"], format: "lfm2" }),
      pythonFrameOpener({ open: "<|tool_call_start|>", ends: ["<|tool_call_end|>"], format: "lfm2" }),
      strayEndOpener("<|tool_call_end|>", "lfm2", true),
    ],
  },
  {
    id: "olmo3",
    title: "Python calls in <function_calls> tags",
    models: ["olmo3"],
    example: '<function_calls>read_file(path="a.txt")</function_calls>',
    openers: () => [
      pythonFrameOpener({ open: "<function_calls>", ends: ["</function_calls>"], format: "olmo3" }),
      strayEndOpener("</function_calls>", "olmo3"),
    ],
  },
];

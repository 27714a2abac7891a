/**
 * A list between marks, with keys that no other format has. Written by Command R and Command A:
 *
 *     <|START_ACTION|>[
 *     {"tool_call_id":"0","tool_name":"read_file","parameters":{"path":"a.txt"}}
 *     ]<|END_ACTION|>
 *
 * An answer is between marks too.
 */
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const cohere: Format = jsonFormat({
  frames: [{ open: "<|START_ACTION|>", ends: ["<|END_ACTION|>"] }],
  marks: ["<|START_TEXT|>", "<|END_TEXT|>", "<|START_RESPONSE|>", "<|END_RESPONSE|>"],
  write: (calls) => {
    const list = calls.map((call, index) =>
      JSON.stringify({ tool_call_id: String(index), tool_name: call.name, parameters: call.arguments }),
    );
    return `<|START_ACTION|>[\n${list.join(",\n")}\n]<|END_ACTION|>`;
  },
});

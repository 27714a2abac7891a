/**
 * A list between marks. The one key of each object is the name of the tool. Written by Apertus:
 *
 *     <|tools_prefix|>[{"read_file":{"path":"a.txt"}}]<|tools_suffix|>
 */
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const apertus: Format = jsonFormat({
  frames: [{ open: "<|tools_prefix|>", ends: ["<|tools_suffix|>"] }],
  write: (calls) => {
    const list = calls.map((call) => JSON.stringify({ [call.name]: call.arguments }));
    return `<|tools_prefix|>[${list.join(", ")}]<|tools_suffix|>`;
  },
});

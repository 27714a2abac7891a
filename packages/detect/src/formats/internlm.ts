/**
 * JSON between marks, with `parameters` for the arguments. Written by InternLM:
 *
 *     <|action_start|><|plugin|>
 *     {"name":"read_file","parameters":{"path":"a.txt"}}<|action_end|>
 */
import { asObject, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const internlm: Format = jsonFormat({
  frames: [{ open: "<|action_start|><|plugin|>", ends: ["<|action_end|>"] }],
  write: each((call) => `<|action_start|><|plugin|>\n${asObject(call, "name", "parameters")}<|action_end|>`),
});

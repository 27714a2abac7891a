/**
 * JSON after a mark, with `parameters` for the arguments. Written by Llama 3:
 *
 *     <|python_tag|>{"name":"read_file","parameters":{"path":"a.txt"}}
 *
 * Semicolons separate several calls; only the first of them has the mark, and often none has it.
 */
import { asObject } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const llama3: Format = jsonFormat({
  frames: [{ open: "<|python_tag|>", ends: ["<|eom_id|>", "<|eot_id|>"], endOptional: true }],
  alsoReads: "json",
  write: (calls) => `<|python_tag|>${calls.map((call) => asObject(call, "name", "parameters")).join("; ")}`,
});

/**
 * JSON after a mark, without an end. Written by GigaChat:
 *
 *     <|function_call|>{"name":"read_file","arguments":{"path":"a.txt"}}
 *
 * The model also writes a call as a message with the role `function call`.
 */
import { around } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const gigachat: Format = jsonFormat({
  frames: [
    { open: "<|function_call|>", ends: ["</s>"], endOptional: true },
    { open: "<|message_sep|>\n\nfunction call<|role_sep|>\n", ends: ["</s>"], endOptional: true },
  ],
  write: around("<|function_call|>", ""),
});

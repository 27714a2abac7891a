/**
 * Tags between open, close and sep marks, with the type in the tag. Written by Kimi K3:
 *
 *     <|open|>tools<|sep|><|open|>call tool="read_file" index="1"<|sep|><|open|>argument key="path" type="string"<|sep|>a.txt<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>
 *
 * Answers and messages are between such marks too.
 */
import type { TagStyle } from "../markup/tag.ts";
import type { JsonValue } from "../types.ts";
import { args } from "../write/tag-text.ts";
import { plainValue } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { tagFormat } from "./framed-format.ts";

const tags: TagStyle = { open: "<|open|>", close: "<|close|>", end: "<|sep|>" };

export const kimiK3: Format = tagFormat({
  frames: [{ open: "<|open|>tools<|sep|>", style: tags, frames: ["tools"], keepsLayout: true }],
  marks: [
    "<|open|>message<|sep|>",
    "<|open|>response<|sep|>",
    "<|close|>response<|sep|>",
    "<|close|>message<|sep|>",
  ],
  write: (calls) => {
    const written = calls.map(
      (call, index) =>
        `<|open|>call tool="${call.name}" index="${index + 1}"<|sep|>${args(call, argument, "")}<|close|>call<|sep|>`,
    );
    return `<|open|>tools<|sep|>${written.join("")}<|close|>tools<|sep|>`;
  },
});

function argument(key: string, value: JsonValue): string {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return `<|open|>argument key="${key}" type="${type}"<|sep|>${plainValue(value)}<|close|>argument<|sep|>`;
}

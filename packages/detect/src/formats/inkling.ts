/**
 * JSON after a header with the name and a mark, with `args` for the arguments. Written by Inkling:
 *
 *     <|message_model|>read_file<|content_invoke_tool_json|>{"name":"read_file","args":{"path":"a.txt"}}<|end_message|>
 *
 * If the two names differ, the name in the JSON counts.
 */
import { jsonFrameOpener } from "../frames/json-frame.ts";
import { colon } from "../scan/characters.ts";
import { isNameChar, take, takeWord } from "../scan/input.ts";
import { framedOpener, type Opener } from "../scan/scan.ts";
import { asObject, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

const header = "<|message_model|>";
const invoke = "<|content_invoke_tool_json|>";
const end = "<|end_message|>";

/** Returns an opener that skips the header before the JSON. */
function namedOpener(): Opener {
  const frame = jsonFrameOpener({ open: "", ends: [end], format: "inkling" });
  return framedOpener(header, "inkling", function* (scan, mark) {
    scan.input.pos += header.length;
    yield* takeWord(scan.input, (code) => isNameChar(code) || code === colon);
    return (yield* take(scan.input, invoke)) && (yield* frame.read(scan, mark));
  });
}

export const inkling: Format = jsonFormat({
  frames: [{ open: invoke, ends: [end] }],
  more: [namedOpener()],
  marks: [`${header}<|content_text|>`, "<|content_model_end_sampling|>"],
  write: each((call) => `${header}${call.name}${invoke}${asObject(call, "name", "args")}${end}`, ""),
});

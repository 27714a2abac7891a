/**
 * Invoke and parameter tags in the namespace steptml, between marks. Written by Step 3:
 *
 *     <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file">
 *     <steptml:parameter name="path">a.txt</steptml:parameter>
 *     </steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>
 *
 * The marks around a call are dropped, because the tags are enough.
 */
import { tagFrameOpener } from "../markup/tag-frame.ts";
import { at, type Input, type Reader, skipSpace, takeFirst } from "../scan/input.ts";
import { framedOpener, type Opener } from "../scan/scan.ts";
import { invoke } from "../write/tag-text.ts";
import type { Format } from "./format.ts";
import { prefixedTags, tagFormat } from "./framed-format.ts";

const invokes = { open: "<steptml:invoke", style: prefixedTags("steptml:"), frames: [], bare: true };
const begins = [
  "<｜tool_calls_begin｜>",
  "<｜tool_call_begin｜>function<｜tool_sep｜>",
  "<｜tool_call_begin｜>",
];
const ends = ["<｜tool_call_end｜>", "<｜tool_calls_end｜>"];

/** Returns an opener that reads calls with marks around them. */
function markedOpener(literal: string): Opener {
  const invoke = tagFrameOpener({ ...invokes, format: "step3" });
  return framedOpener(literal, "step3", function* (scan) {
    let taken = false;
    for (;;) {
      const start = scan.input.offset;
      yield* skipMarks(scan.input, begins);
      const isCall = (yield* at(scan.input, invokes.open)) && (yield* invoke.read(scan, start));
      if (!isCall) scan.input.rewind(start);
      if (!isCall) return taken;
      taken = true;
      yield* skipMarks(scan.input, ends);
    }
  });
}

function* skipMarks(input: Input, marks: readonly string[]): Reader<void> {
  for (let end = input.offset; ; end = input.offset) {
    yield* skipSpace(input);
    if ((yield* takeFirst(input, marks)) !== undefined) continue;
    if (marks !== begins) input.rewind(end);
    return;
  }
}

export const step3: Format = tagFormat({
  frames: [invokes],
  marks: ends,
  more: begins.map((open) => markedOpener(open)),
  write: (calls) => {
    const written = calls.map(
      (call) => `<｜tool_call_begin｜>function<｜tool_sep｜>${invoke(call, "steptml:")}<｜tool_call_end｜>`,
    );
    return `<｜tool_calls_begin｜>${written.join("")}<｜tool_calls_end｜>`;
  },
});

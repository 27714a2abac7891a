/**
 * Invoke and parameter tags in the name space steptml, between marks; Step 3:
 *
 *     <｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a.txt</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>
 *
 * The marks around a call say nothing that the tags do not.
 */
import { invoke } from "../write/tag-text.ts";
import type { Format } from "./format.ts";
import { prefixedTags, tagFormat } from "./tag-format.ts";

export const step3: Format = tagFormat({
  id: "step3",
  title: "StepTML tags",
  models: ["step3"],
  templateMarks: ["steptml:"],
  example:
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="read_file"><steptml:parameter name="path">a.txt</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  frames: [{ open: "<steptml:invoke", style: prefixedTags("steptml:"), frames: [], bare: true }],
  marks: [
    "<｜tool_calls_begin｜>",
    "<｜tool_call_begin｜>function<｜tool_sep｜>",
    "<｜tool_call_begin｜>",
    "<｜tool_call_end｜>",
    "<｜tool_calls_end｜>",
  ],
  write: (calls) => {
    const written = calls.map(
      (call) => `<｜tool_call_begin｜>function<｜tool_sep｜>${invoke(call, "steptml:")}<｜tool_call_end｜>`,
    );
    return `<｜tool_calls_begin｜>${written.join("")}<｜tool_calls_end｜>`;
  },
});

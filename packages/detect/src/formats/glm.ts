/**
 * The name, then a pair of tags for each argument. Written by GLM, Laguna, Hunyuan 3:
 *
 *     <tool_call>read_file
 *     <arg_key>path</arg_key>
 *     <arg_value>a.txt</arg_value>
 *     </tool_call>
 *
 * Later versions write no line feeds. A value without a type in the schema is read as JSON if it is JSON.
 */
import { glmOpeners } from "../markup/glm-frame.ts";
import { args, lines } from "../write/tag-text.ts";
import { each, plainValue } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const glm: Format = {
  openers: glmOpeners,
  write: each((call) => {
    const body = args(
      call,
      (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${plainValue(value)}</arg_value>`,
    );
    return lines(`<tool_call>${call.name}`, body, "</tool_call>");
  }),
};

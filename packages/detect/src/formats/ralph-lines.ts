/**
 * Two lines with labels. Ralph and ReAct prompts ask for them:
 *
 *     Tool: read_file
 *     Arguments: {"path":"a.txt"}
 */
import { toolLinesOpeners } from "../frames/tool-lines.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const ralphLines: Format = {
  openers: () => toolLinesOpeners(),
  write: each((call) => `Tool: ${call.name}\nArguments: ${argumentsJson(call)}`, "\n\n"),
};

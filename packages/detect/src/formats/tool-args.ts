/**
 * JSON with the keys `tool` and `args`. Some prompts ask for it:
 *
 *     {"tool":"read_file","args":{"path":"a.txt"}}
 */
import { plainObjectOpener } from "../frames/plain-json.ts";
import { asObject, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const toolArgs: Format = {
  openers: () => [plainObjectOpener()],
  write: each((call) => asObject(call, "tool", "args")),
};

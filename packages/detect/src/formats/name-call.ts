/**
 * A function with one JSON object; models that write what they have seen in programs:
 *
 *     read_file({"path": "a.txt"})
 *
 * A call alone on its line or announced; in prose it is how people write about functions.
 */
import { nameCallOpeners } from "../frames/name-call.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const nameCall: Format = {
  example: 'read_file({"path": "a.txt"})',
  openers: (tools) => nameCallOpeners(tools),
  write: each((call) => `${call.name}(${argumentsJson(call)})`),
};

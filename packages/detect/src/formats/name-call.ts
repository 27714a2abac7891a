/**
 * A function call with one JSON object. Written by models that have read many programs:
 *
 *     read_file({"path":"a.txt"})
 *
 * It is a call if it is alone on its line or announced. In prose it is text, because people write about functions like that.
 */
import { nameCallOpeners } from "../frames/name-call.ts";
import { argumentsJson, each } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const nameCall: Format = {
  openers: (tools) => nameCallOpeners(tools),
  write: each((call) => `${call.name}(${argumentsJson(call)})`),
};

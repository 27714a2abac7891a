/**
 * JSON without any markup. Written by Llama 3.1 to 3.3 and by models that were told to answer in JSON:
 *
 *     {"name":"read_file","arguments":{"path":"a.txt"}}
 */
import { plainObjectOpener } from "../frames/plain-json.ts";
import { around } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const json: Format = { openers: () => [plainObjectOpener()], write: around("", "") };

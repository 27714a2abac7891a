/**
 * A list after the word `functools`. Written by Phi-4 and Firefunction:
 *
 *     functools[{"name":"read_file","arguments":{"path":"a.txt"}}]
 *
 * The word opens a call only before a list and not inside another word.
 */
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const functools: Format = jsonFormat({
  frames: [{ open: "functools", ends: [], only: "list", standing: "word" }],
  write: (calls) => `functools${asList(calls)}`,
});

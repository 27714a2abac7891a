/**
 * A list after a word; Phi-4, Firefunction:
 *
 *     functools[{"name": "read_file", "arguments": {"path": "a.txt"}}]
 *
 * The word is a call's only in front of a list, and not inside another word.
 */
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";
import { jsonFormat } from "./framed-format.ts";

export const functools: Format = jsonFormat({
  example: 'functools[{"name": "read_file", "arguments": {"path": "a.txt"}}]',
  frames: [{ open: "functools", ends: [], only: "list", standing: "word" }],
  write: (calls) => `functools${asList(calls)}`,
});

/**
 * A list without any markup; xLAM:
 *
 *     [{"name": "read_file", "arguments": {"path": "a.txt"}}]
 *
 * All of it must be calls of tools on offer.
 */
import { plainListOpener } from "../frames/plain-json.ts";
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const jsonList: Format = {
  example: '[{"name": "read_file", "arguments": {"path": "a.txt"}}]',
  openers: () => [plainListOpener()],
  write: (calls) => asList(calls),
};

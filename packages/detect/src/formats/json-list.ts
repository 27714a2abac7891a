/**
 * A list without any markup. Written by xLAM:
 *
 *     [{"name":"read_file","arguments":{"path":"a.txt"}}]
 *
 * It is text unless all items are calls of tools on offer.
 */
import { plainListOpener } from "../frames/plain-json.ts";
import { asList } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const jsonList: Format = { openers: () => [plainListOpener()], write: (calls) => asList(calls) };

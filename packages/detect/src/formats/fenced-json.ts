/**
 * JSON in a code fence. Written by any model that was asked for JSON:
 *
 *     ```json
 *     {"name":"read_file","arguments":{"path":"a.txt"}}
 *     ```
 *
 * The rest of the fence, and the text before and after it, decide whether the call runs or is an example.
 */
import { plainListOpener, plainObjectOpener } from "../frames/plain-json.ts";
import { asList, asObject } from "../write/written-call.ts";
import type { Format } from "./format.ts";

export const fencedJson: Format = {
  openers: () => [plainObjectOpener(), plainListOpener()],
  write: (calls) => {
    const [first] = calls;
    const body = calls.length === 1 && first ? asObject(first) : asList(calls);
    return `\`\`\`json\n${body}\n\`\`\``;
  },
};

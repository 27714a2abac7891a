/**
 * The objects of the OpenAI API, as text. Written by models that have read many of them:
 *
 *     {"type":"function","function":{"name":"read_file","arguments":{"path":"a.txt"}}}
 */
import { plainListOpener, plainObjectOpener } from "../frames/plain-json.ts";
import type { Format } from "./format.ts";

export const openai: Format = {
  openers: () => [plainObjectOpener(), plainListOpener()],
  write: (calls) => {
    const written = calls.map((call) => ({
      type: "function",
      function: { name: call.name, arguments: call.arguments },
    }));
    return JSON.stringify(written.length === 1 ? written[0] : { tool_calls: written });
  },
};

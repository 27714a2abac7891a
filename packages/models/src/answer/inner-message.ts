/**
 * Replaces the JSON that a server quotes from another server by the message in it:
 *
 *     {"error":"llama-server chat error: {\"error\":{\"code\":500,\"message\":\"out of memory\"}}"}
 */
import { createObjectEnd } from "./object-end.ts";

/** Returns the text with its first JSON object replaced by that object's message; the text itself if there is no message. */
export function innerMessage(text: string, messageOf: (body: unknown) => string | undefined): string {
  const from = text.indexOf("{");
  if (from === -1) return text;
  const end = createObjectEnd();
  end.push(text.slice(from));
  if (end.at === undefined) return text;
  const said = messageOf(parse(text.slice(from, from + end.at)));
  return said === undefined ? text : text.slice(0, from) + said + text.slice(from + end.at);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * A server that passes on what another one said may put its JSON into a text:
 *
 *     {"error":"llama-server chat error: {\"error\":{\"code\":500,\"message\":\"out of memory\"}}"}
 */
import { createObjectEnd } from "./object-end.ts";

/** The text with the message of the first JSON object in it in place of that object; the text itself where it has none. */
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

/** Where a person signs in, as a server that refuses says it: `{"error":"unauthorized","signin_url":"https://..."}`. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";

const longest = 2_000;

/** What to do about the refusal; undefined where no address of a web page is given. */
export function signInAdvice(body: string): string | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const url = isJsonObject(value) ? value["signin_url"] : undefined;
  if (typeof url !== "string" || url.length > longest || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" ? `Sign in with a browser, then ask again: ${href}` : undefined;
}

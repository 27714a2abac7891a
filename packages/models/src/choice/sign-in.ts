/** Reads the sign-in address from a server's refusal, such as `{"error":"unauthorized","signin_url":"https://..."}`. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";

const maxUrlChars = 2_000;

/** Returns advice to sign in at the https address in the body; undefined if the body has none. */
export function signInAdvice(body: string): string | undefined {
  let value: JsonValue;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  const url = isJsonObject(value) ? value["signin_url"] : undefined;
  if (typeof url !== "string" || url.length > maxUrlChars || !URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" ? `Sign in with a browser, then ask again: ${href}` : undefined;
}

/** Decides which addresses of an answer may become links. */

const schemes = new Set(["http:", "https:", "mailto:"]);

/** Returns an http, https or mailto address as the browser would open it; undefined for any other, or with a user name. */
export function safeLink(address: string): string | undefined {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    return undefined;
  }
  if (!schemes.has(url.protocol)) return undefined;
  // A name before the host, as in https://bank.example@evil.example, only misleads.
  if (url.username !== "" || url.password !== "") return undefined;
  return url.href;
}

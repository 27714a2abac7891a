/** Takes keys out of texts before anybody sees or stores them. */

const hidden = "[key hidden]";

/** Replaces every occurrence of each secret, also in its URL-encoded form. Secrets under 6 characters are left. */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < 6) continue;
    for (const form of new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])) {
      if (masked.includes(form)) masked = masked.replaceAll(form, hidden);
    }
  }
  return masked;
}

/** A URL without its user part, query and fragment. */
export function bareUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const parsed = new URL(url);
  return parsed.origin + parsed.pathname;
}

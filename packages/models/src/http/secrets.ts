/** Masks keys in texts before they are shown or stored. */

const hidden = "[key hidden]";

/**
 * Masks every occurrence of each secret, in all forms that `secretForms` returns. Ignores secrets with fewer than 6
 * characters.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  let masked = text;
  for (const secret of secrets) {
    if (secret.length < 6) continue;
    for (const form of secretForms(secret)) {
      if (masked.includes(form)) masked = masked.replaceAll(form, hidden);
    }
  }
  return masked;
}

/** Returns the forms in which a secret may appear: plain, URL-encoded and JSON-escaped. */
export function secretForms(secret: string): readonly string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

/** Returns a URL for display, without user part, query and fragment. Also works for text that is not a valid URL. */
export function bareUrl(url: string): string {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) {
    return url.replace(/^([\w+.-]*:\/\/)?.*@/s, "$1").replace(/[?#].*/s, "");
  }
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? origin : origin + pathname;
}

/** Takes keys out of texts before anybody sees or stores them. */

const hidden = "[key hidden]";

/** Replaces every occurrence of each secret, also in its URL-encoded form. Secrets under 6 characters are left. */
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

/** A secret as it may stand in a text: as it is, in a URL, in JSON. */
export function secretForms(secret: string): readonly string[] {
  return [...new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])];
}

/** A URL without its user part, query and fragment, to be shown; also what was only meant to be one. */
export function bareUrl(url: string): string {
  if (!/^https?:/i.test(url) || !URL.canParse(url))
    return url.replace(/^([\w+.-]*:\/\/)?.*@/s, "$1").replace(/[?#].*/s, "");
  const { origin, pathname } = new URL(url);
  return pathname === "/" ? origin : origin + pathname;
}

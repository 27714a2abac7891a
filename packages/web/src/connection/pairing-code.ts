/** Reads the code of a pairing link. */

/** Returns the code of a pairing link; undefined for any other fragment. */
export function codeOf(fragment: string): string | undefined {
  return /^#pair=([\w-]{1,100})$/.exec(fragment)?.[1];
}

export type ReadCode =
  | { readonly ok: true; readonly code: string }
  | { readonly ok: false; readonly message: string };

/** Returns the code in a text that the person gave: the code, or a link to the server at this origin. */
export function codeIn(typed: string, origin: string): ReadCode {
  const text = typed.trim();
  const link = URL.canParse(text) ? new URL(text) : undefined;
  if (link === undefined) return { ok: true, code: text };
  const code = codeOf(link.hash);
  if (code === undefined) return { ok: false, message: "expected a link with #pair= and a code" };
  if (link.origin === origin) return { ok: true, code };
  return { ok: false, message: `this link is for ${link.origin}: open it there. Nothing was sent from here` };
}

/** Tells whether the person has begun a message. */

/** Returns true while the composer has text. A hidden or missing composer has none. */
export function composerHasText(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>("#message");
  return field !== null && field.value !== "";
}

/** Looks at the text of the composer, and inserts text into it, for other parts of the screen. */

/** Returns true while the composer has text; false if the page has no composer. */
export function composerHasText(): boolean {
  const field = document.querySelector<HTMLTextAreaElement>("#message");
  return field !== null && field.value !== "";
}

/** Puts a text at the cursor of the composer, as if it had been typed, and focuses the composer. */
export function insertIntoComposer(text: string): void {
  const field = document.querySelector<HTMLTextAreaElement>("#message");
  if (field === null) return;
  field.focus();
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Keeps what the person writes, for each session: the text through reloads of the tab, the images as long as the page is open. */
import type { ImageContent } from "@localharness/protocol";

/** A message as the person wrote it. */
export interface KeptDraft {
  readonly text: string;
  readonly images: readonly ImageContent[];
}

/** The images of each draft, by its key in `sessionStorage`, for which they are too large. */
const keptImages = new Map<string, KeptDraft["images"]>();

export const newDraftKey = "localharness.draft.new";

/** Returns the key of the draft of a session, or of a new one. */
export function draftKey(id: string | undefined): string {
  return id === undefined ? newDraftKey : `localharness.draft.${id}`;
}

export function keptDraft(key: string): KeptDraft {
  return { text: sessionStorage.getItem(key) ?? "", images: keptImages.get(key) ?? [] };
}

export function keepDraft(key: string, { text, images }: KeptDraft): void {
  if (text === "") sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, text);
  keptImages.set(key, images);
}

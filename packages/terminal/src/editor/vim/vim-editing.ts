/** Connects vim's keys to the message editor. The editor handles all keys that vim does not use. */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";
import { editorKeys } from "../editor-keys.ts";
import { createVimKeys } from "./vim-keys.ts";
import type { VimText } from "./vim-state.ts";

export interface VimEditing {
  mode(): "insert" | "normal";
  /** Takes a key. Returns false for a key of the editor, such as Enter, an arrow, or a letter while inserting. */
  take(data: string): boolean;
  /** Returns true if Esc ends the insert mode or drops a command that is typed in part. */
  takesEscape(): boolean;
  /** Called after a message was sent. The next message begins in insert mode. */
  sent(): void;
}

export interface EditedDraft {
  read(): VimText;
  write(draft: VimText): void;
  /** Gives a key to the editor itself. */
  press(data: string): void;
}

export function editWithVim(draft: EditedDraft): VimEditing {
  const keys = createVimKeys();
  const takesEscape = () => keys.mode() === "insert" || keys.isWaiting();
  return {
    mode: keys.mode,
    takesEscape,
    sent: keys.insert,
    take(data) {
      if (matchesKey(data, "escape")) {
        if (takesEscape()) draft.write(keys.escape(draft.read()));
        return true;
      }
      const key = keys.mode() === "normal" ? keyOf(data) : undefined;
      if (key === undefined) return false;
      const next = keys.press(key, draft.read());
      if (typeof next === "string") draft.press(next === "earlier" ? editorKeys.earlier : editorKeys.later);
      else draft.write(next);
      return true;
    },
  };
}

/** Returns the key as `VimKeys.press` takes it; undefined for a key that the editor handles. */
function keyOf(data: string): string | undefined {
  if (matchesKey(data, "ctrl+r")) return "redo";
  if (matchesKey(data, "backspace")) return "h";
  if (matchesKey(data, "space")) return "l";
  return decodeKittyPrintable(data) ?? (/^\P{Cc}+$/u.test(data) ? data : undefined);
}

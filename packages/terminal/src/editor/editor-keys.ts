/** Lists the keys that the program sends to pi-tui's editor, and binds keys that pi-tui does not use. */
import { KeybindingsManager, setKeybindings, TUI_KEYBINDINGS } from "@earendil-works/pi-tui";

export const editorKeys = {
  escape: "\u001b",
  end: "\u001b[F",
  pageDown: "\u001b[6~",
  /** Ctrl+P */
  earlier: "\u0010",
  /** Ctrl+N */
  later: "\u000e",
} as const;

/** Binds Ctrl+P and Ctrl+N to the earlier and the later message. */
export function bindEditorKeys(): void {
  const free = { "tui.editor.historyPrevious": "ctrl+p", "tui.editor.historyNext": "ctrl+n" } as const;
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, free));
}

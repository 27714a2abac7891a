/** Names the keys that the program presses in pi-tui's editor itself, and binds those that pi-tui leaves free. */
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

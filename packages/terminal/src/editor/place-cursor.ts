/** Puts the cursor of pi-tui's editor at an offset of its text, for which pi-tui has no method. */
import type { Editor } from "@earendil-works/pi-tui";

interface EditorState {
  state: { cursorLine: number; cursorCol: number };
}

export function placeCursor(editor: Editor, at: number): void {
  const lines = editor.getText().slice(0, at).split("\n");
  const { state } = editor as unknown as EditorState;
  state.cursorLine = lines.length - 1;
  state.cursorCol = lines.at(-1)?.length ?? 0;
}

/** Returns the cursor as an offset in the text. */
export function cursorOffset(editor: Editor): number {
  const { line, col } = editor.getCursor();
  return editor
    .getLines()
    .slice(0, line)
    .reduce((all, one) => all + one.length + 1, col);
}

/** The field in which the person edits a plan. Enter keeps the changes, Esc drops them. */
import { Editor, type TUI } from "@earendil-works/pi-tui";
import { bracketedPaste } from "../editor/bracketed-paste.ts";
import { editorTheme } from "../editor/editor-theme.ts";
import { pastedText, screenText } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import type { Theme } from "../theme/theme.ts";

export interface PlanEditor {
  handleInput(data: string): void;
  paste(text: string): void;
  render(width: number, focused: boolean): readonly string[];
}

/** Opens the field with a text. Enter calls `keep` with the edited text, or with undefined if it is unchanged or empty. */
export type OpenPlanEditor = (text: string, keep: (edited: string | undefined) => void) => PlanEditor;

export function planEditors(screen: TUI, theme: () => Theme): OpenPlanEditor {
  return (text, keep) => {
    const editor = new Editor(screen, editorTheme(theme));
    const before = screenText(text);
    editor.setText(before);
    editor.onSubmit = (edited) => {
      const isSame = edited.trim() === before.trim() || edited.trim() === "";
      keep(isSame ? undefined : screenText(edited));
    };
    return {
      handleInput: (data) => editor.handleInput(data),
      paste: (pasted) => editor.handleInput(bracketedPaste(pastedText(pasted))),
      render(width, focused) {
        editor.focused = focused;
        const style = theme();
        const keys = "Enter keeps it · Shift+Enter: new line · Esc gives it up";
        return [
          fitLine(style.style("title", "Edit the plan:"), width),
          ...editor.render(width),
          fitLine(style.style("dim", keys), width),
        ];
      },
    };
  };
}

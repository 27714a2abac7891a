/** The colours of pi-tui's editor. */
import type { EditorTheme } from "@earendil-works/pi-tui";
import type { Theme } from "../theme/theme.ts";

export function editorTheme(theme: () => Theme): EditorTheme {
  return {
    borderColor: (text) => theme().style("border", text),
    selectList: {
      selectedPrefix: (text) => theme().style("accent", text),
      selectedText: (text) => theme().style("selected", text),
      description: (text) => theme().style("dim", text),
      scrollInfo: (text) => theme().style("dim", text),
      noMatch: (text) => theme().style("dim", text),
    },
  };
}

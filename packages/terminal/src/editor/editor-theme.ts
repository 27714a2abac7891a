/** The colours of pi-tui's editor. */
import { stripVTControlCharacters } from "node:util";
import type { EditorTheme } from "@earendil-works/pi-tui";
import type { Theme } from "../theme/theme.ts";

export function editorTheme(theme: () => Theme): EditorTheme {
  return {
    borderColor: (text) => theme().style("border", text),
    selectList: {
      selectedPrefix: (text) => theme().style("accent", text),
      selectedText: (text) => theme().style("selected", stripVTControlCharacters(text)),
      description: (text) => theme().style("dim", text),
      scrollInfo: (text) => theme().style("dim", text),
      noMatch: (text) => theme().style("dim", text),
    },
  };
}

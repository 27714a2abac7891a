/**
 * The state of the screen: whether the sidebar of a phone is open, the open panel and dialog, the theme and other choices.
 */
import { createStore, type Store } from "../connection/store.ts";

export const themes = ["auto", "light", "dark", "high-contrast"] as const;
export type ThemeChoice = (typeof themes)[number];

export const panels = ["files", "changes", "tasks", "context", "tools", "servers", "jobs", "rules"] as const;
export type Panel = (typeof panels)[number];

/** What goes back to before a message. */
export type RewindReach = "both" | "conversation" | "files";

export type OpenDialog =
  | { readonly kind: "palette" }
  | { readonly kind: "models" }
  | { readonly kind: "modes" }
  | { readonly kind: "themes" }
  | { readonly kind: "keys" }
  | { readonly kind: "settings" }
  | { readonly kind: "forks" }
  | { readonly kind: "branch" }
  | { readonly kind: "phone" }
  | { readonly kind: "text"; readonly title: string; readonly text: string }
  /** Asks what goes back to before a message. */
  | {
      readonly kind: "rewind";
      readonly title: string;
      readonly text: string;
      readonly done: (reach: RewindReach) => void;
    }
  /** Asks for one line of text. */
  | {
      readonly kind: "line";
      readonly title: string;
      readonly label: string;
      readonly value: string;
      readonly done: (text: string) => void;
    }
  | {
      readonly kind: "confirm";
      readonly title: string;
      readonly text: string;
      readonly action: string;
      readonly done: () => void;
    };

export interface Ui {
  readonly theme: ThemeChoice;
  /** True while the list of sessions covers a narrow screen. */
  readonly sidebar: boolean;
  readonly panel?: Panel;
  readonly dialog?: OpenDialog;
  /** True to show calls and results as JSON. */
  readonly raw: boolean;
  readonly sideBySide: boolean;
  /** True if the person has switched notifications on and the browser has allowed them. */
  readonly notifies: boolean;
}

const kept = "localharness.ui";

export const ui: Store<Ui> = createStore<Ui>(firstUi());

function firstUi(): Ui {
  const fresh: Ui = { theme: "auto", sidebar: false, raw: false, sideBySide: false, notifies: false };
  if (typeof localStorage === "undefined") return fresh;
  try {
    const read: Partial<Ui> = JSON.parse(localStorage.getItem(kept) ?? "{}");
    const theme = themes.find((one) => one === read.theme) ?? "auto";
    return { ...fresh, theme, sideBySide: read.sideBySide === true, notifies: read.notifies === true };
  } catch {
    return fresh;
  }
}

/** Changes the state. Theme, diff form and notifications are kept for later visits. `undefined` closes a panel or dialog. */
export function changeUi(change: { readonly [Key in keyof Ui]?: Ui[Key] | undefined }): void {
  ui.set((before) => ({ ...before, ...change }) as Ui);
  const { theme, sideBySide, notifies } = ui.get();
  localStorage.setItem(kept, JSON.stringify({ theme, sideBySide, notifies }));
  showTheme(theme);
}

export function showTheme(theme: ThemeChoice): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

/** The state of vim's keys: the mode, the register, and the drafts to which `u` and Ctrl+R return. */
import { before, lineEnd, lineStart } from "./motions.ts";

export interface VimText {
  readonly text: string;
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
}

export interface VimState {
  mode: "insert" | "normal";
  /** The keys of a command that is not complete. */
  typed: string;
  register: { readonly text: string; readonly lines: boolean };
  done: VimText[];
  undone: VimText[];
}

const maxUndo = 200;

export function emptyState(): VimState {
  return { mode: "insert", typed: "", register: { text: "", lines: false }, done: [], undone: [] };
}

/** Remembers the draft before a change. */
export function keep(state: VimState, draft: VimText): void {
  state.done = [...state.done, draft].slice(-maxUndo);
  state.undone = [];
}

/** Begins the insert mode at the cursor of `changed`. `draft` is the draft before that change. */
export function startInsert(state: VimState, draft: VimText, changed: VimText): VimText {
  keep(state, draft);
  state.mode = "insert";
  return changed;
}

/**
 * Removes drafts from the end of `from` until one has another text than `draft`; adds `draft` to `to` and returns that one.
 * Returns `draft` if there is none.
 */
export function restore(from: VimText[], to: VimText[], draft: VimText): VimText {
  // If nothing was typed in insert mode, the kept draft equals the present draft.
  let found = from.pop();
  while (found !== undefined && found.text === draft.text) found = from.pop();
  if (found === undefined) return draft;
  to.push(draft);
  return inNormal(found);
}

/**
 * Returns the draft with the cursor on a character: in normal mode the cursor is never after the last character of a
 * line.
 */
export function inNormal({ text, at }: VimText): VimText {
  const inside = Math.max(0, Math.min(at, text.length));
  const isAfterLast = inside === lineEnd(text, inside) && inside > lineStart(text, inside);
  return { text, at: isAfterLast ? before(text, inside) : inside };
}

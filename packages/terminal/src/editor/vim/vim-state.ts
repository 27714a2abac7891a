/** What vim's keys remember: the mode, the register, and the drafts that `u` and Ctrl+R go through. */
import { before, lineEnd, lineStart } from "./motions.ts";

export interface Draft {
  readonly text: string;
  /** Offset in the text, in UTF-16 units. */
  readonly at: number;
}

export interface VimState {
  mode: "insert" | "normal";
  /** The keys of a command that is not complete. */
  typed: string;
  register: { readonly text: string; readonly lines: boolean };
  done: Draft[];
  undone: Draft[];
}

const maxUndo = 200;

export function emptyState(): VimState {
  return { mode: "insert", typed: "", register: { text: "", lines: false }, done: [], undone: [] };
}

/** Remembers the draft before a change. */
export function keep(state: VimState, draft: Draft): void {
  state.done = [...state.done, draft].slice(-maxUndo);
  state.undone = [];
}

/** Begins to insert at the cursor of `changed`, which `draft` became. */
export function startInsert(state: VimState, draft: Draft, changed: Draft): Draft {
  keep(state, draft);
  state.mode = "insert";
  return changed;
}

/** Goes one step back from one list of drafts, and keeps the present one in the other. */
export function restore(from: Draft[], to: Draft[], draft: Draft): Draft {
  // An insertion that typed nothing left a state that equals the present one.
  let found = from.pop();
  while (found !== undefined && found.text === draft.text) found = from.pop();
  if (found === undefined) return draft;
  to.push(draft);
  return inNormal(found);
}

/** In normal mode the cursor is on a character, never after the last one of a line. */
export function inNormal({ text, at }: Draft): Draft {
  const inside = Math.max(0, Math.min(at, text.length));
  const isAfterLast = inside === lineEnd(text, inside) && inside > lineStart(text, inside);
  return { text, at: isAfterLast ? before(text, inside) : inside };
}

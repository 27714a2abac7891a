/** Edits a draft with vim's keys in normal mode. In insert mode the message editor handles the keys. */
import { motionOf, rangeOf } from "./edit-range.ts";
import { before, lineStart } from "./motions.ts";
import { command, operate } from "./vim-commands.ts";
import { emptyState, inNormal, type VimState, type VimText } from "./vim-state.ts";

export interface VimKeys {
  mode(): "insert" | "normal";
  /** Returns true while a command is typed in part, such as `d` or `3`. */
  isWaiting(): boolean;
  /** Switches to insert mode and forgets the undo history, as for a new message. */
  insert(): void;
  /**
   * Handles Esc: switches to normal mode and drops a command that is typed in part. Returns the draft with the cursor at a
   * place that normal mode allows.
   */
  escape(draft: VimText): VimText;
  /**
   * Handles a printable key or Ctrl+R (`redo`) in normal mode. Returns the draft after the key, or `earlier` or `later`
   * if the editor must recall a message.
   */
  press(key: string, draft: VimText): VimText | "earlier" | "later";
}

const counted = /^([1-9]\d*)?(.*)$/su;
/** Matches an optional operator, an optional second count, and a motion or a command. */
const operated = /^([dcy])?([1-9]\d*)?(.*)$/su;
const maxCount = 10_000;
const unfinished = /^(?:g|[fFtTr]|[ia])?$/u;

export function createVimKeys(): VimKeys {
  const state = emptyState();
  return {
    mode: () => state.mode,
    isWaiting: () => state.typed !== "",
    insert() {
      Object.assign(state, { mode: "insert", typed: "", done: [], undone: [] });
    },
    escape({ text, at }) {
      const inserted = state.mode === "insert" && at > lineStart(text, at);
      state.mode = "normal";
      state.typed = "";
      return inNormal({ text, at: inserted ? before(text, at) : at });
    },
    press(key, draft) {
      state.typed += key;
      return run(state, draft);
    },
  };
}

function run(state: VimState, draft: VimText): VimText | "earlier" | "later" {
  const [, first, keys = ""] = counted.exec(state.typed) ?? [];
  const [, given, second, rest = ""] = operated.exec(shorthands[keys] ?? keys) ?? [];
  const count = product(first, second);
  const isInsertion = given === undefined && /^[ia]$/.test(rest);
  if (!isInsertion && unfinished.test(rest)) return draft;
  if (given !== undefined) {
    const range = rangeOf(given, rest, draft, count);
    return finish(state, range === undefined ? draft : operate(state, given, range, draft));
  }
  const motion = motionOf(rest);
  if (motion === undefined) return finish(state, command(state, rest, draft, count ?? 1));
  const move = motion(draft.text, draft.at, count);
  if (move === undefined && rest === "k") return finish(state, "earlier" as const);
  if (move === undefined && rest === "j") return finish(state, "later" as const);
  return finish(state, move === undefined ? draft : inNormal({ text: draft.text, at: move.to }));
}

/** Returns the product of the typed counts; undefined if none was typed. */
function product(first: string | undefined, second: string | undefined): number | undefined {
  if (first === undefined && second === undefined) return undefined;
  return Math.min(maxCount, Number(first ?? 1) * Number(second ?? 1));
}

function finish<T>(state: VimState, result: T): T {
  state.typed = "";
  return result;
}

/** The operator and motion that each short command means. */
const shorthands: Readonly<Record<string, string>> = {
  x: "dl",
  X: "dh",
  D: "d$",
  C: "c$",
  Y: "yy",
  s: "cl",
  S: "cc",
};

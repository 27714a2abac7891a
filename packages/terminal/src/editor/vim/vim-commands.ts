/** The commands of vim's normal mode that change the draft or begin to insert. */
import type { EditRange } from "./edit-range.ts";
import { after, before, firstWord, lineEnd, lineStart } from "./motions.ts";
import { inNormal, keep, restore, startInsert, type VimState, type VimText } from "./vim-state.ts";

/** Runs a command that is neither a motion nor an operator. Returns the draft unchanged for unknown keys. */
export function command(state: VimState, name: string, draft: VimText, count: number): VimText {
  const { text, at } = draft;
  const end = lineEnd(text, at);
  const start = lineStart(text, at);
  switch (name) {
    case "i":
      return startInsert(state, draft, draft);
    case "a":
      return startInsert(state, draft, { text, at: Math.min(end, after(text, at)) });
    case "I":
      return startInsert(state, draft, { text, at: firstWord(text, at) });
    case "A":
      return startInsert(state, draft, { text, at: end });
    case "o":
      return startInsert(state, draft, { text: `${text.slice(0, end)}\n${text.slice(end)}`, at: end + 1 });
    case "O":
      return startInsert(state, draft, { text: `${text.slice(0, start)}\n${text.slice(start)}`, at: start });
    case "p":
    case "P":
      return put(state, draft, name === "P", count);
    case "u":
      return restore(state.done, state.undone, draft);
    case "redo":
      return restore(state.undone, state.done, draft);
    default:
      return replaced(state, name, draft, count);
  }
}

function replaced(state: VimState, name: string, draft: VimText, count: number): VimText {
  const letter = /^r(.+)$/su.exec(name)?.[1];
  if (letter === undefined) return draft;
  const { text, at } = draft;
  let to = at;
  for (let left = count; left > 0 && to < lineEnd(text, at); left -= 1) to = after(text, to);
  if (to === at) return draft;
  keep(state, draft);
  const filled = letter.repeat(count);
  return { text: text.slice(0, at) + filled + text.slice(to), at: at + filled.length - letter.length };
}

function put(state: VimState, draft: VimText, ahead: boolean, count: number): VimText {
  if (state.register.text === "") return draft;
  keep(state, draft);
  const { text, at } = draft;
  const whole = state.register.text.repeat(count);
  if (!state.register.lines) {
    const place = ahead || text.length === 0 || at === lineEnd(text, at) ? at : after(text, at);
    const joined = text.slice(0, place) + whole + text.slice(place);
    return inNormal({ text: joined, at: before(joined, place + whole.length) });
  }
  if (ahead) {
    const start = lineStart(text, at);
    return { text: text.slice(0, start) + whole + text.slice(start), at: start };
  }
  const end = lineEnd(text, at);
  return { text: `${text.slice(0, end)}\n${whole.slice(0, -1)}${text.slice(end)}`, at: end + 1 };
}

/** Applies `d`, `c` or `y` to a range. */
export function operate(state: VimState, operator: string, range: EditRange, draft: VimText): VimText {
  const { text } = draft;
  yank(state, range, text);
  if (operator === "y") return inNormal({ text, at: range.lines ? draft.at : range.from });
  if (operator === "c") {
    const to = range.lines && text[range.to - 1] === "\n" ? range.to - 1 : range.to;
    return startInsert(state, draft, { text: text.slice(0, range.from) + text.slice(to), at: range.from });
  }
  keep(state, draft);
  // No line feed follows the last line of the text, so the one before it is deleted.
  const from = range.lines && range.to === text.length ? Math.max(0, range.from - 1) : range.from;
  const left = text.slice(0, from) + text.slice(range.to);
  return inNormal({ text: left, at: range.lines ? firstWord(left, Math.min(from, left.length)) : from });
}

function yank(state: VimState, { from, to, lines }: EditRange, text: string): void {
  const cut = text.slice(from, to);
  state.register = { text: lines && !cut.endsWith("\n") ? `${cut}\n` : cut, lines };
}

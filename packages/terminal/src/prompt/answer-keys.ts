/** Which keys answer a question, and which are text: what is typed at a question never allows. */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";

export type Press =
  | { readonly kind: "digit"; readonly index: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "enter" | "up" | "down" | "pageUp" | "pageDown" | "space" | "tab" | "other" };

/** The answers stand in a row; the last one denies, all others allow. */
export type Standing =
  | { readonly kind: "choosing"; readonly chosen: number }
  /** A key that answers was pressed, and counts when it stays alone. `text`: what it is when more follows. */
  | { readonly kind: "held"; readonly chosen: number; readonly text: string }
  /** The denial is chosen, or text has begun to come: what is typed is its note. */
  | { readonly kind: "noting"; readonly chosen: number; readonly begun: "chosen" | "typed" };

export type Effect =
  | { readonly kind: "none" | "answer" }
  /** `keysAlone` is called when no key has come for a moment. */
  | { readonly kind: "hold" }
  | { readonly kind: "scroll"; readonly pages: 1 | -1 }
  | { readonly kind: "note"; readonly text: string }
  /** The text goes to the editor, then the key itself where `key` says so. */
  | { readonly kind: "edit"; readonly text: string; readonly key: boolean }
  /** The Enter of what stands in the editor. */
  | { readonly kind: "send" }
  /** What stands in the editor is left there, and the question gets the keys. */
  | { readonly kind: "setAside" };

export interface Step {
  readonly standing: Standing;
  readonly effect: Effect;
}

export const answerCount = 4;
const denial = answerCount - 1;

const named = ["enter", "up", "down", "pageUp", "pageDown", "space", "tab"] as const;

export function readPress(data: string): Press {
  const text = decodeKittyPrintable(data) ?? data;
  if (/^[1-9]$/.test(text) && Number(text) <= answerCount)
    return { kind: "digit", index: Number(text) - 1, text };
  if (text === " ") return { kind: "space" };
  const kind = named.find((key) => matchesKey(data, key));
  if (kind !== undefined) return { kind };
  return /^\P{Cc}+$/u.test(text) ? { kind: "text", text } : { kind: "other" };
}

/** What a key writes; undefined when it writes nothing. */
export function textOf(press: Press): string | undefined {
  if (press.kind === "space") return " ";
  return press.kind === "digit" || press.kind === "text" ? press.text : undefined;
}

/**
 * What a key does at a question that may be answered. `drafted`: a message that was begun before the question stands in
 * the editor, and is where text goes. Keys of a note that has begun are not asked about here.
 */
export function takePress(standing: Standing, press: Press, drafted: boolean): Step {
  if (standing.kind === "noting") return { standing, effect: { kind: "none" } };
  if (standing.kind === "held") return followHeld(standing, press, drafted);
  return drafted ? pressInDraft(standing.chosen, press) : pressAtQuestion(standing.chosen, press);
}

/** No key has followed the one that is held. */
export function keysAlone(standing: Standing): Step {
  const { chosen } = standing;
  if (standing.kind !== "held") return { standing, effect: { kind: "none" } };
  if (chosen === denial) return beginNote(chosen, "chosen", "");
  return { standing: { kind: "choosing", chosen }, effect: { kind: "answer" } };
}

function pressAtQuestion(chosen: number, press: Press): Step {
  switch (press.kind) {
    case "digit":
      return choose(press.index, press.text);
    case "enter":
      return choose(chosen, "");
    case "text":
      return beginNote(0, "typed", press.text);
    default:
      return look(chosen, press);
  }
}

/** A denial needs no care. */
function choose(index: number, text: string): Step {
  if (index === denial) return beginNote(index, "chosen", "");
  return hold(index, text);
}

function hold(chosen: number, text: string): Step {
  return { standing: { kind: "held", chosen, text }, effect: { kind: "hold" } };
}

function beginNote(chosen: number, begun: "chosen" | "typed", text: string): Step {
  return { standing: { kind: "noting", chosen, begun }, effect: { kind: "note", text } };
}

/** Keys that neither answer nor write. */
function look(chosen: number, press: Press): Step {
  const at = (next: number, effect: Effect = { kind: "none" }): Step => ({
    standing: { kind: "choosing", chosen: next },
    effect,
  });
  switch (press.kind) {
    case "up":
      return at((chosen + answerCount - 1) % answerCount);
    case "down":
      return at((chosen + 1) % answerCount);
    case "pageUp":
      return at(chosen, { kind: "scroll", pages: -1 });
    case "pageDown":
    case "space":
      return at(chosen, { kind: "scroll", pages: 1 });
    default:
      return at(chosen);
  }
}

/** A key came right after one that answers: neither answers. */
function followHeld(held: Standing & { kind: "held" }, press: Press, drafted: boolean): Step {
  const written = textOf(press);
  const isText =
    held.text === ""
      ? written !== undefined && press.kind !== "space"
      : written !== undefined || press.kind === "enter";
  if (!isText) return look(held.chosen, press);
  const text = held.text + (written ?? "");
  if (!drafted) return beginNote(0, "typed", text);
  return { standing: { kind: "choosing", chosen: 0 }, effect: { kind: "edit", text, key: false } };
}

/** What was typed before the question is not sent yet: its text goes on, and only a denial can be chosen. */
function pressInDraft(chosen: number, press: Press): Step {
  const stay = (effect: Effect): Step => ({ standing: { kind: "choosing", chosen }, effect });
  switch (press.kind) {
    case "digit":
      return press.index === denial ? hold(denial, press.text) : stay({ kind: "edit", text: "", key: true });
    case "tab":
      return stay({ kind: "setAside" });
    case "enter":
      return stay({ kind: "send" });
    case "pageUp":
    case "pageDown":
      return look(chosen, press);
    default:
      return stay({ kind: "edit", text: "", key: true });
  }
}

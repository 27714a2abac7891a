/**
 * Decides whether a key at a permission question answers it or is text. Text typed at a question never allows a call.
 */
import { decodeKittyPrintable, matchesKey } from "@earendil-works/pi-tui";

export type Press =
  | { readonly kind: "digit"; readonly index: number; readonly text: string }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "enter" | "up" | "down" | "pageUp" | "pageDown" | "space" | "tab" | "other" };

/** The choices of a question. The one that denies is the last of the list, whatever its number is. */
export interface ChoiceCount {
  readonly count: number;
  /** The index of the choice that denies; the others allow or edit a plan. */
  readonly denial: number;
}

/** Returns the indexes of the choices from the top of the list to its end. */
export function shownOrder({ count, denial }: ChoiceCount): readonly number[] {
  const allowing = Array.from({ length: count }, (_, index) => index).filter((index) => index !== denial);
  return [...allowing, denial];
}

/** The state of the question. `chosen` is the index of a choice. */
export type AnswerState =
  | { readonly kind: "choosing"; readonly chosen: number }
  /**
   * A key that answers was pressed. It answers if no other key follows soon; otherwise it counts as the text `text`.
   * `confirmed` means that Enter followed a digit.
   */
  | { readonly kind: "held"; readonly chosen: number; readonly text: string; readonly confirmed?: true }
  /** The denial was chosen, or text was typed. Further keys edit the note of the denial. */
  | { readonly kind: "noting"; readonly chosen: number; readonly begun: "chosen" | "typed" };

export type Effect =
  | { readonly kind: "none" | "answer" }
  /** The caller must call `keysAlone` if no other key follows within a short time. */
  | { readonly kind: "hold" }
  | { readonly kind: "scroll"; readonly pages: 1 | -1 }
  /** Shows all facts, or only one line of them again. */
  | { readonly kind: "more" }
  | { readonly kind: "note"; readonly text: string }
  /** The text goes to the editor. If `key` is true, the key itself goes to the editor after the text. */
  | { readonly kind: "edit"; readonly text: string; readonly key: boolean }
  /** Enter goes to the editor, which sends the draft. */
  | { readonly kind: "send" }
  /** The draft stays in the editor, and the question gets the keys. */
  | { readonly kind: "setAside" };

export interface AnswerStep {
  readonly state: AnswerState;
  readonly effect: Effect;
}

/** The choices of an ordinary permission question. */
export const answerChoices: ChoiceCount = { count: 4, denial: 3 };

const named = ["enter", "up", "down", "pageUp", "pageDown", "space", "tab"] as const;

export function readPress(data: string, { count } = answerChoices): Press {
  const text = decodeKittyPrintable(data) ?? data;
  if (/^[1-9]$/.test(text) && Number(text) <= count) {
    return { kind: "digit", index: Number(text) - 1, text };
  }
  if (text === " ") return { kind: "space" };
  const kind = named.find((key) => matchesKey(data, key));
  if (kind !== undefined) return { kind };
  return /^\P{Cc}+$/u.test(text) ? { kind: "text", text } : { kind: "other" };
}

/** Returns the text that a key types; undefined if it types no text. */
export function textOf(press: Press): string | undefined {
  if (press.kind === "space") return " ";
  return press.kind === "digit" || press.kind === "text" ? press.text : undefined;
}

/**
 * Returns the next state and the effect of a key at a question that may be answered. `drafted` is true if the editor
 * has a message that was begun before the question; typed text then goes to that message. `apart` is true if the key
 * came so long after a held key that both cannot be one paste. While a note is being typed, the caller handles its keys.
 */
export function takePress(
  state: AnswerState,
  press: Press,
  drafted: boolean,
  choices: ChoiceCount = answerChoices,
  apart = false,
): AnswerStep {
  if (state.kind === "noting") return { state, effect: { kind: "none" } };
  if (state.kind === "held") {
    return confirm(state, press, apart && !drafted) ?? followHeld(state, press, drafted, choices);
  }
  return drafted ? pressInDraft(state.chosen, press, choices) : pressAtQuestion(state.chosen, press, choices);
}

/** Returns the step for a held key that no other key has followed: the answer, or the note of a denial. */
export function keysAlone(state: AnswerState, choices: ChoiceCount = answerChoices): AnswerStep {
  const { chosen } = state;
  if (state.kind !== "held") return { state, effect: { kind: "none" } };
  if (chosen === choices.denial) return beginNote(chosen, "chosen", "");
  return { state: { kind: "choosing", chosen }, effect: { kind: "answer" } };
}

function pressAtQuestion(chosen: number, press: Press, choices: ChoiceCount): AnswerStep {
  switch (press.kind) {
    case "digit":
      return choose(press.index, press.text, choices);
    case "enter":
      return choose(chosen, "", choices);
    case "text":
      return beginText(press.text);
    default:
      return look(chosen, press, choices);
  }
}

/** Begins a slash command in the editor if the text starts with a slash; otherwise begins the note of a denial. */
function beginText(text: string): AnswerStep {
  if (!text.startsWith("/")) return beginNote(0, "typed", text);
  return { state: { kind: "choosing", chosen: 0 }, effect: { kind: "edit", text, key: false } };
}

/**
 * Chooses an answer. A denial opens its note at once. A key that allows is held until it is clear that no other key
 * follows.
 */
function choose(index: number, text: string, choices: ChoiceCount): AnswerStep {
  if (index === choices.denial) return beginNote(index, "chosen", "");
  return hold(index, text);
}

function hold(chosen: number, text: string): AnswerStep {
  return { state: { kind: "held", chosen, text }, effect: { kind: "hold" } };
}

function beginNote(chosen: number, begun: "chosen" | "typed", text: string): AnswerStep {
  return { state: { kind: "noting", chosen, begun }, effect: { kind: "note", text } };
}

/** Handles keys that neither answer nor type text: they move the selection, scroll, or show more. */
function look(chosen: number, press: Press, choices: ChoiceCount): AnswerStep {
  const at = (next: number, effect: Effect = { kind: "none" }): AnswerStep => ({
    state: { kind: "choosing", chosen: next },
    effect,
  });
  switch (press.kind) {
    case "up":
      return at(beside(choices, chosen, -1));
    case "down":
      return at(beside(choices, chosen, 1));
    case "pageUp":
      return at(chosen, { kind: "scroll", pages: -1 });
    case "pageDown":
    case "space":
      return at(chosen, { kind: "scroll", pages: 1 });
    case "tab":
      return at(chosen, { kind: "more" });
    default:
      return at(chosen);
  }
}

/** Returns the choice above or below another one; after the last comes the first. */
function beside(choices: ChoiceCount, chosen: number, step: 1 | -1): number {
  const order = shownOrder(choices);
  return order[(order.indexOf(chosen) + step + order.length) % order.length] ?? chosen;
}

/**
 * Holds a digit again that Enter confirms: it answers if no other key follows the Enter. Returns undefined for any other
 * key, and for an Enter that may belong to a paste.
 */
function confirm(held: AnswerState & { kind: "held" }, press: Press, apart: boolean): AnswerStep | undefined {
  if (press.kind !== "enter" || !apart || held.text === "" || held.confirmed === true) return undefined;
  return { state: { ...held, confirmed: true }, effect: { kind: "hold" } };
}

/** Handles a key that came right after a held key. Neither of the two keys answers. */
function followHeld(
  held: AnswerState & { kind: "held" },
  press: Press,
  drafted: boolean,
  choices: ChoiceCount,
): AnswerStep {
  const written = textOf(press);
  const isText =
    held.text === ""
      ? written !== undefined && press.kind !== "space"
      : written !== undefined || press.kind === "enter";
  if (!isText) return look(held.chosen, press, choices);
  const text = held.text + (written ?? "");
  if (!drafted) return beginNote(0, "typed", text);
  return { state: { kind: "choosing", chosen: 0 }, effect: { kind: "edit", text, key: false } };
}

/** Handles a key while the editor has an unsent draft. Text continues the draft, and only the denial can be chosen. */
function pressInDraft(chosen: number, press: Press, choices: ChoiceCount): AnswerStep {
  const stay = (effect: Effect): AnswerStep => ({ state: { kind: "choosing", chosen }, effect });
  switch (press.kind) {
    case "digit":
      return press.index === choices.denial
        ? hold(choices.denial, press.text)
        : stay({ kind: "edit", text: "", key: true });
    case "tab":
      return stay({ kind: "setAside" });
    case "enter":
      return stay({ kind: "send" });
    case "pageUp":
    case "pageDown":
      return look(chosen, press, choices);
    default:
      return stay({ kind: "edit", text: "", key: true });
  }
}

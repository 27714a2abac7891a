/** Draws the answers of a question, or the unsent draft while the draft gets the keys. */
import { visibleWidth } from "@earendil-works/pi-tui";
import { screenLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import type { Theme } from "../theme/theme.ts";
import { shownOrder } from "./answer-keys.ts";
import type { Choice, Question } from "./question.ts";

export interface ShownState {
  readonly chosen: number;
  /** True while the key that chose the answer may still turn out to be text. */
  readonly held: boolean;
}

/** Returns one line for each answer that is offered, cut at `width` columns. */
export function choiceLines(
  question: Question,
  { chosen, held }: ShownState,
  theme: Theme,
  width: number,
): string[] {
  return shownChoices(question).map(([index, { words }]) => {
    const waits = held && index === chosen ? " …" : "";
    const text = `${fitLine(`[${index + 1}] ${words}`, width - 2 - waits.length)}${waits}`;
    return index === chosen ? `${theme.style("accent", "›")} ${theme.style("selected", text)}` : `  ${text}`;
  });
}

/** Returns the choices that are offered, with their indexes, in the order in which they are shown. */
function shownChoices(question: Question): readonly (readonly [index: number, choice: Choice])[] {
  const { choices, denial } = question;
  return shownOrder({ count: choices.length, denial }).flatMap((index) => {
    const choice = choices[index];
    return choice === undefined || !question.offers(index) ? [] : [[index, choice] as const];
  });
}

/** Returns the answers on one line. On a narrow screen their words are shorter. */
export function choiceLine(question: Question, { chosen }: ShownState, theme: Theme, width: number): string {
  const offered = shownChoices(question);
  const long = offered.map(([index, { short }]) => `[${index + 1}] ${short}`);
  const isNarrow = width < 52 || long.join("  ").length > width;
  const words = isNarrow ? offered.map(([index, { shortest }]) => `${index + 1} ${shortest}`) : long;
  const line = words
    .map((text, at) => (offered[at]?.[0] === chosen ? theme.style("selected", text) : text))
    .join(isNarrow ? " " : "  ");
  return fitLine(line, width);
}

/** Returns two lines: the end of the draft, and the keys. `denial` says which key denies. */
export function draftLines(draft: string, denial: string, theme: Theme, width: number): readonly string[] {
  const typed = screenLine(draft.trim().slice(-400));
  const isCommand = typed.startsWith("/");
  const before = isCommand ? "Command: " : "Not sent yet: ";
  const fits = [...typed].slice(-Math.max(1, Math.floor((width - before.length) / 2)));
  const cut = visibleWidth(typed) > width - before.length ? `…${fits.slice(1).join("")}` : typed;
  const keys = isCommand
    ? "Enter runs it, the question stays · Esc clears it"
    : `Enter sends it · Tab: answer first, it is kept · ${denial}`;
  return [
    fitLine(`${before}${theme.style("selected", cut)}`, width),
    fitLine(theme.style("dim", keys), width),
  ];
}

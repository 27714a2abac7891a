/** Defines the questions that the prompt can ask: their choices, their words, and the lines above the choices. */

import {
  allowingNumber,
  denialNumber,
  type OfferedChoice,
  offeredChoices,
  type PermissionAnswer,
  type PermissionMode,
  type PermissionRequest,
  planOf,
  widerAnswers,
  widerText,
} from "@localharness/protocol";
import { judgedLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";
import { drawItem } from "../transcript/draw-item.ts";
import { wrapWords } from "../transcript/wrap-words.ts";
import { permissionLines, questionParts, type WholeQuestion } from "./permission-lines.ts";

export interface Choice {
  readonly words: string;
  /** The words of the choice if all choices share one line. */
  readonly short: string;
  /** The words of the choice on a narrow line. */
  readonly shortest: string;
  readonly does:
    | {
        readonly kind: "answer";
        readonly answer: PermissionAnswer;
        readonly mode?: PermissionMode;
        /** The id of the tool's offer that the choice takes. */
        readonly offer?: string;
        readonly wider?: true;
      }
    | { readonly kind: "edit" };
}

export interface Question {
  /** The choices by their digits less one; undefined where a digit has no choice. */
  readonly choices: readonly (Choice | undefined)[];
  /** The index of the choice that denies. */
  readonly denial: number;
  /** The denial in the past tense, such as `Denied`, for the title of the note. */
  readonly denied: string;
  /** The denial in the present tense, such as `denies`, for the line of keys. */
  readonly denies: string;
  /**
   * Returns the text of the question. Without `more`, it has only one line of facts. `edited` is the plan as the person
   * edited it.
   */
  draw(width: number, theme: Theme, more: boolean, edited?: string): WholeQuestion;
  /**
   * Returns the text with one line of facts in two parts: the part that scrolls, and the part that stays beside the answers. `summary`
   * returns a shorter form of the second part, in at most `rows` lines.
   */
  drawApart?(
    width: number,
    theme: Theme,
  ): {
    readonly scrolls: readonly string[];
    readonly stays: readonly string[];
    summary(rows: number): readonly string[];
  };
  /** Returns false for a choice that would allow the same as another. Such a choice is not shown. */
  offers(index: number): boolean;
}

/** Returns the question that a request asks. If `canEdit` is false, the person cannot edit a plan. */
export function questionOf(request: PermissionRequest, canEdit: boolean): Question {
  const plan = planOf(request);
  if (plan !== undefined) return planQuestion(request, plan, canEdit);
  const taken = offeredChoices(request);
  const choices =
    taken === undefined
      ? permissionChoices(request)
      : byNumber(taken.map((one) => [one.number, offeredChoice(one)]));
  return {
    choices,
    denial: denialNumber - 1,
    denied: "Denied",
    denies: "denies",
    draw: (width, theme, more) => permissionLines(request, width, theme, more),
    drawApart(width, theme) {
      const { call, warnings, line, diff, summary } = questionParts(request, width, theme);
      return { scrolls: [...call, ...diff], stays: [...warnings, line], summary };
    },
    offers: (index) =>
      choices[index] !== undefined && (taken !== undefined || isOffered(request, choices[index])),
  };
}

/** Returns the choices in the places of their digits. */
function byNumber(
  numbered: readonly (readonly [number: number, choice: Choice])[],
): readonly (Choice | undefined)[] {
  const found = new Map(numbered);
  return Array.from({ length: Math.max(...found.keys()) }, (_, index) => found.get(index + 1));
}

function offeredChoice({ words, short, careful, answer, offer }: OfferedChoice): Choice {
  if (offer === undefined) return choice(answer, "Deny, with a note to the model if you like", "Deny");
  const whole = careful === undefined ? words : `${words} (careful: ${careful})`;
  return { words: whole, short: words, shortest: short, does: { kind: "answer", answer, offer } };
}

function isOffered({ answers }: PermissionRequest, choice: Choice | undefined): boolean {
  if (answers === undefined || choice?.does.kind !== "answer" || choice.does.wider === true) return true;
  return answers.includes(choice.does.answer);
}

/** Returns the choices. The words of an answer that covers more than this call say what it covers. */
function permissionChoices(request: PermissionRequest): readonly Choice[] {
  const { covers } = request;
  const wider = widerText(request);
  const scope = covers === "" ? "" : `: ${judgedLine(covers)}`;
  const same = covers === "" ? "" : " in this workspace: the same";
  return [
    choice("once", "Allow Once", "Allow Once", "Once"),
    choice("session", `Allow in this Session${scope}`, "Session"),
    choice("remember", `Allow and Remember${same}`, "Remember"),
    choice("deny", "Deny, with a note to the model if you like", "Deny"),
    ...(wider === undefined
      ? []
      : widerAnswers.map(
          ({ answer, words }): Choice => ({
            ...choice(answer, `${words}: ${wider}`, `${words}: any`),
            does: { kind: "answer", answer, wider: true },
          }),
        )),
  ];
}

function choice(answer: PermissionAnswer, words: string, short: string, shortest = short): Choice {
  return { words, short, shortest, does: { kind: "answer", answer } };
}

function planQuestion(request: PermissionRequest, plan: string, canEdit: boolean): Question {
  const modes = request.plan?.modes ?? [];
  const allowing = [...modes.map(approval), ...(canEdit ? [editing] : [])];
  const refusal = choice("deny", "Refuse, with a note to the model if you like", "Refuse");
  const choices = byNumber([
    ...allowing.map((one, index) => [allowingNumber(index), one] as const),
    [denialNumber, refusal],
  ]);
  return {
    choices,
    denial: denialNumber - 1,
    offers: (index) => choices[index] !== undefined,
    denied: "Refused",
    denies: "refuses",
    draw(width, theme, _more, edited) {
      const title = theme.style("title", edited === undefined ? "Plan:" : "Plan, edited by you:");
      const text = edited ?? plan;
      const careful = request.concerns
        .filter(({ id }) => id !== "plan")
        .flatMap(({ reason }) =>
          wrapWords(theme.style("warning", `Careful: ${judgedLine(reason)}`), Math.max(8, width)),
        );
      const body = drawItem({ kind: "answer", live: false, text }, width, {
        theme,
        opened: true,
        rawCalls: false,
      });
      const lines = [title, ...careful, ...body];
      return { lines, needed: lines.length };
    },
  };
}

const editing: Choice = {
  words: "Edit the plan",
  short: "Edit",
  shortest: "Edit",
  does: { kind: "edit" },
};

/** Short words for modes whose names are too long for a narrow line. */
const shortNames: Partial<Readonly<Record<PermissionMode, string>>> = {
  default: "ask",
  "accept-edits": "edits",
};

function approval(mode: PermissionMode): Choice {
  return {
    words: `Approve, go on in mode ${mode}`,
    short: `Approve: ${mode}`,
    shortest: shortNames[mode] ?? mode,
    does: { kind: "answer", answer: "once", mode },
  };
}

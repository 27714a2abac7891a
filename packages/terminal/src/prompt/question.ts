/** Defines the questions that the prompt can ask: their choices, their words, and the lines above the choices. */
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import {
  type PermissionAnswer,
  type PermissionMode,
  type PermissionRequest,
  planOf,
} from "@localharness/protocol";
import { judgedLine } from "../plain-text.ts";
import type { Theme } from "../theme/theme.ts";
import { drawItem } from "../transcript/draw-item.ts";
import { permissionLines, questionParts, type WholeQuestion } from "./permission-lines.ts";

export interface Choice {
  readonly words: string;
  /** The words of the choice if all choices share one line. */
  readonly short: string;
  /** The words of the choice on a narrow line. */
  readonly shortest: string;
  readonly does:
    | { readonly kind: "answer"; readonly answer: PermissionAnswer; readonly mode?: PermissionMode }
    | { readonly kind: "edit" };
}

export interface Question {
  /** The choices; the last one denies. */
  readonly choices: readonly Choice[];
  /** The denial in the past tense, such as `Denied`, for the title of the note. */
  readonly denied: string;
  /** The denial in the present tense, such as `denies`, for the line of keys. */
  readonly denies: string;
  /** Returns the whole text of the question. `edited` is the plan as the person edited it. */
  draw(width: number, theme: Theme, edited?: string): WholeQuestion;
  /**
   * Returns the same text in two parts: the part that scrolls, and the part that stays beside the answers. `summary`
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
  return {
    choices: permissionChoices,
    denied: "Denied",
    denies: "denies",
    draw: (width, theme) => permissionLines(request, width, theme),
    drawApart(width, theme) {
      const { call, warnings, facts, diff, summary } = questionParts(request, width, theme);
      return {
        scrolls: [...call, ...diff],
        stays: [...warnings, ...facts],
        summary,
      };
    },
    offers: (index) => isOffered(request, permissionChoices[index]),
  };
}

function isOffered({ answers }: PermissionRequest, choice: Choice | undefined): boolean {
  if (answers === undefined || choice?.does.kind !== "answer") return true;
  return answers.includes(choice.does.answer);
}

const permissionChoices: readonly Choice[] = [
  choice("once", "Allow Once", "Allow Once", "Once"),
  choice("session", "Allow in this Session", "Session"),
  choice("remember", "Allow and Remember", "Remember"),
  choice("deny", "Deny, with a note to the model if you like", "Deny"),
];

function choice(answer: PermissionAnswer, words: string, short: string, shortest = short): Choice {
  return { words, short, shortest, does: { kind: "answer", answer } };
}

function planQuestion(request: PermissionRequest, plan: string, canEdit: boolean): Question {
  const modes = request.plan?.modes ?? [];
  return {
    choices: [
      ...modes.map(approval),
      ...(canEdit ? [editing] : []),
      choice("deny", "Refuse, with a note to the model if you like", "Refuse"),
    ],
    offers: () => true,
    denied: "Refused",
    denies: "refuses",
    draw(width, theme, edited) {
      const title = theme.style("title", edited === undefined ? "Plan:" : "Plan, edited by you:");
      const text = edited ?? plan;
      const careful = request.concerns
        .filter(({ id }) => id !== "plan")
        .flatMap(({ reason }) =>
          wrapTextWithAnsi(theme.style("warning", `Careful: ${judgedLine(reason)}`), Math.max(8, width)),
        );
      const body = drawItem({ kind: "answer", text }, width, { theme, opened: true, rawCalls: false });
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

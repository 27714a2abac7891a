/** Builds the question about a plan for the line-by-line chat: its text, and the lines that answer it. */
import type { PersonsAnswer } from "@localharness/engine";
import {
  allowingNumber,
  denialNumber,
  judgedLine,
  type PermissionRequest,
  plainText,
  planOf,
} from "@localharness/protocol";

export interface QuestionByLine {
  readonly text: string;
  /** The answers, by the words that the person types. */
  readonly answers: Readonly<Record<string, PersonsAnswer>>;
  readonly howToAnswer: string;
}

/** Returns the question about the plan of a request; undefined for any other request. */
export function planByLine(request: PermissionRequest): QuestionByLine | undefined {
  const plan = planOf(request);
  if (plan === undefined || request.plan === undefined) return undefined;
  const { modes } = request.plan;
  const refusal: PersonsAnswer = { answer: "deny" };
  const choices = modes.map((mode, index) => `[${allowingNumber(index)}] Approve, go on in mode ${mode}`);
  const careful = request.concerns
    .filter(({ id }) => id !== "plan")
    .map(({ reason }) => `Careful: ${judgedLine(reason)}`);
  const lines = ["Plan", "", plainText(plan).trim(), "", ...careful];
  return {
    text: `${[...lines, ...choices.toSpliced(denialNumber - 1, 0, `[${denialNumber}] Refuse, with a note if you like`)].join("\n")}\n`,
    answers: {
      ...Object.fromEntries(
        modes.map((mode, index) => [String(allowingNumber(index)), { answer: "once", mode } as const]),
      ),
      [denialNumber]: refusal,
      d: refusal,
      n: refusal,
    },
    howToAnswer: `Type the number of an answer; words after ${denialNumber} are a note to the model.\n`,
  };
}

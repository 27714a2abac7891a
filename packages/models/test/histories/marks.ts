/** Finds marks that a prompt must contain but does not. */
import type { ScriptedTurn } from "../fake-server/index.ts";
import { type History, resultOf } from "./histories.ts";

export type MarkKind = "person" | "text" | "thought" | "name" | "argument" | "result" | "image";

export interface Mark {
  readonly kind: MarkKind;
  readonly text: string;
  /** Index of the answer that contained it; all later prompts must contain it. -1 for text of the person. */
  readonly answer: number;
  /** Index of the first prompt that must contain it. */
  readonly since: number;
}

/** Returns the marks that the answers leave in the transcript. */
export function marksOf({ answers, denies }: History): readonly Mark[] {
  return answers.flatMap((turn, answer) =>
    ofTurn(turn, denies === true).map((mark) => ({ ...mark, answer, since: 0 })),
  );
}

type Found = Pick<Mark, "kind" | "text">;

function ofTurn({ text, reasoning, calls = [] }: ScriptedTurn, denied: boolean): Found[] {
  const made = calls.flatMap((call): Found[] => {
    const argument = String(call.arguments["subject"]);
    const result = denied ? "permission_denied" : resultOf(argument);
    return [
      { kind: "name", text: call.name },
      { kind: "argument", text: argument },
      { kind: "result", text: result },
    ];
  });
  return [
    ...(text === undefined ? [] : [{ kind: "text" as const, text }]),
    // Reasoning need not be sent back once its turn is over.
    ...(reasoning === undefined || calls.length === 0 ? [] : [{ kind: "thought" as const, text: reasoning }]),
    ...made,
  ];
}

/** An accepted prompt with the number of answers before it. */
export interface TakenPrompt {
  readonly prompt: string;
  readonly answers: number;
}

/**
 * Returns the marks that are missing in a prompt that must contain them, each once. A thought is needed only in the prompt
 * after its answer. The names of tools in the first prompt do not count, because its list of tools contains them.
 */
export function lostMarks(prompts: readonly TakenPrompt[], marks: readonly Mark[]): readonly Mark[] {
  const before = prompts[0]?.prompt ?? "";
  return marks.filter((mark) =>
    prompts.some(({ prompt, answers }, place) => {
      if (answers <= mark.answer || place < mark.since) return false;
      if (mark.kind === "thought" && answers > mark.answer + 1) return false;
      if (mark.kind !== "name") return !prompt.includes(mark.text);
      return times(prompt, mark.text) <= times(before, mark.text);
    }),
  );
}

/** Returns true if a prompt contains `None` more often than the first one: the template wrote it for an empty text. */
export function saysNone(prompts: readonly TakenPrompt[]): boolean {
  const before = times(prompts[0]?.prompt ?? "", "None");
  return prompts.some(({ prompt }) => times(prompt, "None") > before);
}

function times(text: string, word: string): number {
  return text.split(word).length - 1;
}

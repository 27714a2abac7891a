/** What must stand in a prompt, and what of it does not. */
import type { ScriptedTurn } from "../fake-server/index.ts";
import { type History, resultOf } from "./histories.ts";

export type MarkKind = "person" | "text" | "thought" | "name" | "argument" | "result" | "image";

export interface Mark {
  readonly kind: MarkKind;
  readonly text: string;
  /** The answer that it came with: it has to be in the prompts of all later ones. -1 for what a person said. */
  readonly answer: number;
  /** The first prompt that has to hold it, counted from 0. */
  readonly since: number;
}

/** What the answers leave in the conversation. */
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
    // Nothing has to go back of a thought once its turn is over.
    ...(reasoning === undefined || calls.length === 0 ? [] : [{ kind: "thought" as const, text: reasoning }]),
    ...made,
  ];
}

/** A prompt that the server took, with how many answers it had given before. */
export interface TakenPrompt {
  readonly prompt: string;
  readonly answers: number;
}

/** Marks that a prompt should hold and does not, each once. The name of a tool stands among the tools as well. */
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

/** True when a prompt says None where an empty text was sent. */
export function saysNone(prompts: readonly TakenPrompt[]): boolean {
  const before = times(prompts[0]?.prompt ?? "", "None");
  return prompts.some(({ prompt }) => times(prompt, "None") > before);
}

function times(text: string, word: string): number {
  return text.split(word).length - 1;
}

/** Reads the person's answers that the rows name. */
import type { Answer } from "./chat.ts";
import type { AnswerWord, Row } from "./row.ts";

/** Returns the answer that a word of the rows names: `allow` allows once. */
export function answerOf(word: AnswerWord): Exclude<Answer, "nothing"> {
  return word === "allow" ? "once" : word;
}

/**
 * Returns the person's answer to the row's own call, also one that the row's approvals give for once; undefined when the
 * row names none.
 */
export function givenAnswer({ answer }: Row): Exclude<Answer, "nothing"> | undefined {
  if (answer === undefined || typeof answer === "string") return answer && answerOf(answer);
  const { decision, scope } = answer;
  if (decision === "deny") return "deny";
  const word = scope ?? decision;
  return word === undefined ? undefined : answerOf(word);
}

/** Returns true if the row sends an answer for another question, or leaves the question open. */
export function isForeignAnswer({ answer }: Row): boolean {
  if (answer === undefined || typeof answer === "string") return false;
  const { approval_id: id, session, disconnect, already_used: used } = answer;
  return id !== undefined || session !== undefined || disconnect === true || used !== undefined;
}

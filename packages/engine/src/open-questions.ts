/** The questions that wait for a person, each under its own id. */
import type { PersonsAnswer } from "./calls/ask-permission.ts";

export interface OpenQuestions {
  /** Resolves to the answer; to a denial when the signal comes first. */
  wait(requestId: string, signal: AbortSignal): Promise<PersonsAnswer>;
  /** Does nothing for what is not asked, or not asked any more. */
  answer(requestId: string, given: PersonsAnswer): void;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Map<string, (given: PersonsAnswer) => void>();
  return {
    wait: (requestId, signal) =>
      new Promise((resolve) => {
        const settle = (given: PersonsAnswer) => {
          open.delete(requestId);
          signal.removeEventListener("abort", deny);
          resolve(given);
        };
        const deny = () => settle({ answer: "deny" });
        open.set(requestId, settle);
        if (signal.aborted) deny();
        else signal.addEventListener("abort", deny, { once: true });
      }),
    answer: (requestId, given) => open.get(requestId)?.(given),
  };
}

/** Keeps the questions that wait for the person's answer, by id. */
import type { PersonsAnswer } from "../calls/ask-permission.ts";

export interface OpenQuestions {
  /** Resolves to the answer, or to a denial if the signal aborts first. Rejects after `abandon`. */
  wait(requestId: string, signal: AbortSignal): Promise<PersonsAnswer>;
  /** Answers the question. Does nothing if no question with that id is open. */
  answer(requestId: string, given: PersonsAnswer): void;
  /** Rejects all open questions and all later ones, because nobody will answer them. */
  abandon(): void;
}

interface Waiting {
  settle(given: PersonsAnswer): void;
  abandon(): void;
}

export function createOpenQuestions(): OpenQuestions {
  const open = new Map<string, Waiting>();
  let abandoned = false;
  return {
    wait: (requestId, signal) =>
      new Promise((resolve, reject) => {
        const over = () => {
          open.delete(requestId);
          signal.removeEventListener("abort", deny);
        };
        const settle = (given: PersonsAnswer) => {
          over();
          resolve(given);
        };
        const deny = () => settle({ answer: "deny" });
        const abandon = () => {
          over();
          reject(new Error("nobody answers any more"));
        };
        open.set(requestId, { settle, abandon });
        if (signal.aborted) deny();
        else if (abandoned) abandon();
        else signal.addEventListener("abort", deny, { once: true });
      }),
    answer: (requestId, given) => open.get(requestId)?.settle(given),
    abandon() {
      abandoned = true;
      for (const question of [...open.values()]) question.abandon();
    },
  };
}

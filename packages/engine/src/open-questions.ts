/** The questions that wait for a person, each under its own id. */
import type { PersonsAnswer } from "./calls/ask-permission.ts";

export interface OpenQuestions {
  /** Resolves to the answer; to a denial when the signal comes first. Rejects when nobody answers any more. */
  wait(requestId: string, signal: AbortSignal): Promise<PersonsAnswer>;
  /** Does nothing for what is not asked, or not asked any more. */
  answer(requestId: string, given: PersonsAnswer): void;
  /** From now on nobody answers: neither what is open nor what is asked later. */
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

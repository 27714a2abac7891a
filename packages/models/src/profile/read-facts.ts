/** Asks a server what it tells of its model: before the first request, and after a refusal, as the model may be another. */
import type { ModelFacts, ModelProfile } from "./model-profile.ts";

export type Told =
  | { readonly kind: "facts"; readonly facts: ModelFacts }
  /** It is another kind of server, or it does not tell. */
  | { readonly kind: "silent" }
  /** It reads its model into memory, or does not answer: it may tell later. */
  | { readonly kind: "later" };

export interface FactsReader {
  /** Asks where there is something to learn; else it is done at once. Never rejects. */
  read(): Promise<void>;
  /** The next `read` asks once more. */
  again(): void;
}

/** For an answer of a few kilobytes; a server that reads a long prompt may still need a moment. */
export const factsMs = 2_000;

/** An address that gives no answer costs its time limit: so many times are enough. */
const maxUnanswered = 20;

export function createFactsReader(profile: ModelProfile, ask: () => Promise<Told>): FactsReader {
  let wanted = profile.facts.template === undefined;
  let unanswered = 0;
  let tells = !wanted;
  return {
    async read() {
      if (!wanted || unanswered >= maxUnanswered) return;
      const told = await ask();
      if (told.kind === "later") {
        unanswered += 1;
        return;
      }
      wanted = false;
      unanswered = 0;
      tells = told.kind === "facts";
      if (told.kind === "facts") profile.tell(told.facts);
    },
    again() {
      wanted = tells;
    },
  };
}

/** For servers that tell nothing. */
export const noFacts: FactsReader = { read: () => Promise.resolve(), again: () => undefined };

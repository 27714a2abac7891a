/**
 * Asks a server for facts about its model before the first request. Asks again after a refusal, because the model may
 * have changed.
 */
import type { ModelFacts, ModelProfile } from "./model-profile.ts";

export type ReportedFacts =
  | { readonly kind: "facts"; readonly facts: ModelFacts }
  /** The server never reports facts. */
  | { readonly kind: "silent" }
  /** The server is loading its model or did not answer; it may report facts later. */
  | { readonly kind: "later" };

export interface FactsReader {
  /** Asks for facts if needed; otherwise resolves at once. Never rejects. */
  read(): Promise<void>;
  /** Makes the next `read` ask again if the server has reported facts before. */
  again(): void;
}

/**
 * The time limit of a question in milliseconds. It is enough for an answer of a few kilobytes, even from a server that
 * is busy with a long prompt.
 */
export const factsMs = 2_000;

/** After this number of unanswered questions the reader gives up, because each of them costs the time limit. */
const maxUnanswered = 20;

export function createFactsReader(profile: ModelProfile, ask: () => Promise<ReportedFacts>): FactsReader {
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
      wanted ||= tells;
    },
  };
}

/** A reader for servers that report no facts. */
export const noFacts: FactsReader = { read: () => Promise.resolve(), again: () => undefined };

/** Returns the choices of a question whose tool makes offers, in the order in which every screen numbers them. */
import type { PermissionAnswer, PermissionRequest } from "./permission-request.ts";
import { judgedLine } from "./plain-text.ts";

export interface OfferedChoice {
  /** The digit that chooses it. */
  readonly number: number;
  readonly words: string;
  readonly short: string;
  /** A warning to show beside the words. */
  readonly careful?: string;
  readonly answer: PermissionAnswer;
  /** The id of the offer; absent for the denial. */
  readonly offer?: string;
}

/** The digit that denies at every question. A person who presses it by habit must never allow a call. */
export const denialNumber = 4;

/** Returns the digit of a choice that allows, by its index among those that allow. No such choice has the digit that denies. */
export function allowingNumber(index: number): number {
  return index + 1 < denialNumber ? index + 1 : index + 2;
}

/**
 * Returns one choice for each offer, and the denial, in the order of their digits. Returns undefined if the request has no
 * offers.
 */
export function offeredChoices({ offers = [] }: PermissionRequest): readonly OfferedChoice[] | undefined {
  if (offers.length === 0) return undefined;
  const taken = offers.map(
    ({ id, words, short, warns, detail }, index): OfferedChoice => ({
      number: allowingNumber(index),
      words: judgedLine(words),
      short: judgedLine(short),
      ...(warns === true ? { careful: judgedLine(detail) } : {}),
      answer: "once" as const,
      offer: id,
    }),
  );
  const denial: OfferedChoice = { number: denialNumber, words: "Deny", short: "Deny", answer: "deny" };
  return taken.toSpliced(denialNumber - 1, 0, denial);
}

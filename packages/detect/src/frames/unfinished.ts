/** Judges calls whose end is missing or incomplete. */
import { requiredNames, type Schema } from "@localharness/schema";
import type { CallDraft } from "../call/draft.ts";
import { noteRepair } from "../json/result.ts";
import { type Input, peek, type Reader } from "../scan/input.ts";
import type { JsonObject, Repair } from "../types.ts";

/** Returns the rest of the text if it is the beginning of a literal and has at least `min` characters; else undefined. */
export function* halfHere(input: Input, literals: readonly string[], min = 1): Reader<string | undefined> {
  const maxLength = Math.max(...literals.map((literal) => literal.length));
  if ((yield* peek(input, maxLength)) !== -1) return undefined;
  const half = input.text.slice(input.pos).trimEnd();
  const isHalf = (literal: string) => half.length < literal.length && literal.startsWith(half);
  return half.length >= min && literals.some(isHalf) ? half : undefined;
}

/** The text found at the place of the end tag of a call. */
export type CallEnd = "tag" | "half-tag" | "text-end" | "other";

/** Reports that an end of a call was missing and is assumed. In a reply that was cut, the call counts as cut. */
export function assumeEnd(input: Input, draft: CallDraft, repair: Repair): void {
  noteRepair(draft.repairs, repair);
  if (input.cut) draft.outcome = "cut";
}

/** Ends a call after its arguments. Without an end tag the call is accepted only if `isWhole` is true. */
export function endCall(
  input: Input,
  draft: CallDraft,
  args: JsonObject,
  end: CallEnd,
  isWhole: boolean,
): void {
  const isMissing = end === "text-end" || end === "other";
  if (isMissing && !isWhole) {
    draft.outcome = end === "other" ? "broken" : "cut";
    return;
  }
  if (end !== "tag") assumeEnd(input, draft, isMissing ? "missing-end-tag" : "half-end-tag");
  draft.args ??= args;
}

/** Returns true if a call without an end tag has arguments, and all that the tool requires. */
export function isComplete(args: { readonly [key: string]: unknown }, schema: Schema): boolean {
  return Object.keys(args).length > 0 && hasRequired(args, schema);
}

export function hasRequired(args: { readonly [key: string]: unknown }, schema: Schema): boolean {
  return requiredNames(schema).every((name) => Object.hasOwn(args, name));
}

/** Judges calls whose end is missing or incomplete. */
import { requiredNames, type Schema } from "@localharness/schema";
import type { Draft } from "../call/draft.ts";
import { noteRepair } from "../json/result.ts";
import { type Input, peek, type Reader } from "../scan/input.ts";
import type { JsonValue } from "../types.ts";

/** Returns the beginning of one of the literals with which the text ends here, at least `min` characters; undefined if anything else follows. */
export function* halfHere(input: Input, literals: readonly string[], min = 1): Reader<string | undefined> {
  const maxLength = Math.max(...literals.map((literal) => literal.length));
  if ((yield* peek(input, maxLength)) !== -1) return undefined;
  const half = input.text.slice(input.pos).trimEnd();
  const isHalf = (literal: string) => half.length < literal.length && literal.startsWith(half);
  return half.length >= min && literals.some(isHalf) ? half : undefined;
}

/** What stands where the end tag of a call should. */
export type CallEnd = "tag" | "half-tag" | "text-end" | "other";

/** Ends a call whose arguments came. Without its end tag it is a call only when it is whole. */
export function endCall(
  draft: Draft,
  args: { [key: string]: JsonValue },
  end: CallEnd,
  isWhole: boolean,
): void {
  const isMissing = end === "text-end" || end === "other";
  if (isMissing && !isWhole) {
    draft.outcome = end === "other" ? "broken" : "cut";
    return;
  }
  if (end !== "tag") noteRepair(draft.repairs, isMissing ? "missing-end-tag" : "half-end-tag");
  draft.args ??= args;
}

/** Tells whether a call without its end counts: it has arguments, and every argument that the tool requires. */
export function isComplete(args: { readonly [key: string]: unknown }, schema: Schema): boolean {
  return Object.keys(args).length > 0 && hasRequired(args, schema);
}

/** Tells whether every argument that the tool requires is there. */
export function hasRequired(args: { readonly [key: string]: unknown }, schema: Schema): boolean {
  return requiredNames(schema).every((name) => Object.hasOwn(args, name));
}

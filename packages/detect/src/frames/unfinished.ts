/** What a call amounts to whose end is missing, or is there by half. */
import { type Input, peek, type Reader } from "../scan/input.ts";
import { requiredNames, type Schema } from "../schema/read-schema.ts";

/** The beginning of one of the literals in which the text ends here, at least so long; undefined where it goes on otherwise. */
export function* halfHere(input: Input, literals: readonly string[], least = 1): Reader<string | undefined> {
  const longest = Math.max(...literals.map((literal) => literal.length));
  if ((yield* peek(input, longest)) !== -1) return undefined;
  const half = input.text.slice(input.pos).trimEnd();
  const isHalf = (literal: string) => half.length < literal.length && literal.startsWith(half);
  return half.length >= least && literals.some(isHalf) ? half : undefined;
}

/** Whether a call without its end is one all the same: arguments came, and none that the tool requires is missing. */
export function isComplete(args: { readonly [key: string]: unknown }, schema: Schema): boolean {
  return Object.keys(args).length > 0 && hasRequired(args, schema);
}

/** Whether no argument that the tool requires is missing. */
export function hasRequired(args: { readonly [key: string]: unknown }, schema: Schema): boolean {
  return requiredNames(schema).every((name) => Object.hasOwn(args, name));
}

/** Recognizes that a server has refused the schema that an answer has to follow. */
import type { ModelFailure } from "../answer/failure.ts";

const aboutFormat = /response_?format|json.?schema|grammar|structured.?output|\bformat\b/i;

/**
 * Returns true if the failure refuses the schema. Must be called only for a request with a schema, because servers also
 * mention grammars when they refuse tools.
 */
export function refusesFormat({ code, message }: ModelFailure): boolean {
  return (code === "bad-request" || code === "server-error") && aboutFormat.test(message);
}

export const withoutFormat = "does not accept this answer schema; asking without it";

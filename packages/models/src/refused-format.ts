/** Whether a server has refused the schema that an answer has to follow. */
import type { ModelFailure } from "./failure.ts";

const aboutFormat = /response_?format|json.?schema|grammar|structured.?output|\bformat\b/i;

/** Asked of a request that had a schema alone: tools are held to grammars as well. */
export function refusesFormat({ code, message }: ModelFailure): boolean {
  return (code === "bad-request" || code === "server-error") && aboutFormat.test(message);
}

export const withoutFormat = "does not hold an answer to this schema; asking without it";

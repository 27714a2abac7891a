/** What the options say about a run without a person: what comes in, what goes out, how long, by which schema. */

import { usageError } from "@localharness/engine";
import { exitCodes } from "@localharness/harness/exit-code";
import type { AnswerSchema } from "../answer-schema/answer-schema.ts";
import { type FlagValues, textFlag } from "../arguments/parse.ts";
import { startTimeLimit, type TimeLimit } from "./time-limit.ts";

export interface Unattended {
  readonly output: "text" | "json" | "stream-json";
  /** True when commands come on stdin. */
  readonly driven: boolean;
  readonly limit: TimeLimit;
  readonly schema?: AnswerSchema;
}

/** True when the options ask for a run without a chat. */
export function wantsUnattended(flags: FlagValues): boolean {
  const { print, output, input, schema, timeout } = flags;
  return print === true || [output, input, schema, timeout].some((value) => value !== undefined);
}

/** Time counts from here. Throws a `HarnessError` (`usage`) for options that do not go together. */
export async function unattended(flags: FlagValues): Promise<Unattended> {
  const limit = startTimeLimit(timeoutOf(flags), exitCodes.timeout);
  const driven = textFlag(flags, "input") === "stream-json";
  const output = driven && flags.output === undefined ? "stream-json" : outputOf(flags);
  const file = textFlag(flags, "schema");
  if (driven && output !== "stream-json")
    throw usageError(`--input stream-json goes with --output stream-json, not with ${output}.`);
  if (driven && file !== undefined)
    throw usageError("--schema does not go with --input stream-json: a session has no one answer.");
  if (file === undefined) return { output, driven, limit };
  const { readAnswerSchema } = await import("../answer-schema/answer-schema.ts");
  return { output, driven, limit, schema: await readAnswerSchema(file) };
}

export function outputOf(flags: FlagValues): Unattended["output"] {
  const output = textFlag(flags, "output");
  return output === "json" || output === "stream-json" ? output : "text";
}

/** In a chat a turn of the agent is an iteration: `--max-turns` is what other programs call it. */
export function withMaxTurns(flags: FlagValues): FlagValues {
  const { "max-turns": turns, ...others } = flags;
  if (turns === undefined) return flags;
  if (flags["max-iterations"] !== undefined)
    throw usageError("--max-turns and --max-iterations are the same here: give one of them.");
  return { ...others, "max-iterations": turns };
}

export function timeoutOf(flags: FlagValues): number | undefined {
  return typeof flags.timeout === "number" ? flags.timeout : undefined;
}

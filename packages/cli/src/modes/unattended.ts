/** Reads the options of an unattended run: input, output, time limit and schema. */
import { usageError } from "@localharness/engine";
import type { AnswerSchema } from "@localharness/harness/answer-schema/answer-schema";
import { exitCodes } from "@localharness/harness/exit-code";
import { type FlagValues, textFlag } from "../arguments/parse.ts";
import { startTimeLimit, type TimeLimit } from "./time-limit.ts";

export interface Unattended {
  readonly output: "text" | "json" | "stream-json";
  /** True if stdin sends commands. */
  readonly driven: boolean;
  readonly limit: TimeLimit;
  readonly schema?: AnswerSchema;
}

/** Returns true if the options ask for a run without a chat. */
export function wantsUnattended(flags: FlagValues): boolean {
  const { print, output, input, schema, timeout } = flags;
  return print === true || [output, input, schema, timeout].some((value) => value !== undefined);
}

/** Reads the options and starts the time limit. Rejects (`usage`) for contradicting options or an unusable schema file. */
export async function unattended(flags: FlagValues): Promise<Unattended> {
  const limit = startTimeLimit(timeoutOf(flags), exitCodes.timeout);
  const driven = textFlag(flags, "input") === "stream-json";
  const output = driven && flags.output === undefined ? "stream-json" : outputOf(flags);
  const file = textFlag(flags, "schema");
  if (driven && output !== "stream-json") {
    throw usageError(`--input stream-json needs --output stream-json, got ${output}.`);
  }
  if (driven && file !== undefined) {
    throw usageError("--schema cannot be combined with --input stream-json: a session has no single answer.");
  }
  if (file === undefined) return { output, driven, limit };
  const { readAnswerSchema } = await import("@localharness/harness/answer-schema/answer-schema");
  return { output, driven, limit, schema: await readAnswerSchema(file) };
}

export function outputOf(flags: FlagValues): Unattended["output"] {
  const output = textFlag(flags, "output");
  return output === "json" || output === "stream-json" ? output : "text";
}

/**
 * Returns the options with the number of `--max-turns` as that of `--iterations-per-turn`, because other programs call one model
 * call a turn. Throws a `HarnessError` (`usage`) if both are given.
 */
export function withMaxTurns(flags: FlagValues): FlagValues {
  const { "max-turns": turns, ...others } = flags;
  if (turns === undefined) return flags;
  if (flags["iterations-per-turn"] !== undefined) {
    throw usageError("--max-turns and --iterations-per-turn are the same here: give one of them.");
  }
  return { ...others, "iterations-per-turn": turns };
}

export function timeoutOf(flags: FlagValues): number | undefined {
  return typeof flags.timeout === "number" ? flags.timeout : undefined;
}

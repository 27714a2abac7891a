/** Declares and checks the findings of `localharness doctor` about one model. */
import type { ModelTuning } from "@localharness/models";
import { formatsToTry } from "@localharness/models/formats-to-try";
import { defined, isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

/** A form of edits: old and new text, line numbers, or the whole file. */
export type EditForm = "text" | "lines" | "file";

/** A set of tools that a session offers. */
export type ToolSet = "standard" | "minimal";

export interface TriedProfile {
  readonly tuning: ModelTuning;
  /** The form of edits in which the model succeeded. */
  readonly edit?: EditForm;
  /** The largest set of tools out of which the model picked the right one. */
  readonly toolSet?: ToolSet;
  /** True if the model announces steps without taking them. */
  readonly announces?: boolean;
  /** The number of tokens of a prompt that the server reads in a second. */
  readonly readsPerSecond?: number;
  /** The number of tokens that the model writes in a second. */
  readonly writesPerSecond?: number;
  /** The time of the trial, in Unix milliseconds. */
  readonly triedAt: number;
}

/**
 * Returns the findings, without values of a wrong type, because a person may have edited the file. Returns undefined if
 * there are no findings.
 */
export function readTriedProfile(value: JsonValue | undefined): TriedProfile | undefined {
  if (!isJsonObject(value) || typeof value["triedAt"] !== "number") return undefined;
  const { edit, toolSet, announces, triedAt } = value;
  return {
    tuning: readTuning(isJsonObject(value["tuning"]) ? value["tuning"] : {}),
    triedAt,
    ...(edit === "text" || edit === "lines" || edit === "file" ? { edit } : {}),
    ...(toolSet === "standard" || toolSet === "minimal" ? { toolSet } : {}),
    ...defined({
      announces: typeof announces === "boolean" ? announces : undefined,
      readsPerSecond: above0(value["readsPerSecond"]),
      writesPerSecond: above0(value["writesPerSecond"]),
    }),
  };
}

function readTuning({ toolCalls, format, startsInReasoning, window }: JsonObject): ModelTuning {
  return {
    ...(toolCalls === "native" || toolCalls === "text" ? { toolCalls } : {}),
    ...defined({
      format: formatsToTry("").find((id) => id === format),
      startsInReasoning: typeof startsInReasoning === "boolean" ? startsInReasoning : undefined,
      window: above0(window),
    }),
  };
}

function above0(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

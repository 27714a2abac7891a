/** Declares the settings that are known to suit one model on one server. */
import type { FormatId } from "@localharness/detect";
import type { Sampling } from "../request/sampling.ts";

/** The settings that suit one model. A value that the person has set takes precedence over the same value here. */
export interface ModelTuning {
  readonly toolCalls?: "native" | "text";
  /** The format in which the prompt asks for calls, if tools are described in the prompt. */
  readonly format?: FormatId;
  /** True if answers begin inside a thought that the prompt has opened. */
  readonly startsInReasoning?: boolean;
  /** The number of tokens that the model really sees, if it is smaller than the server claims. */
  readonly window?: number;
  /** The maximum number of times that a turn asks the model to go on after it announced a step without taking it. */
  readonly nudges?: number;
  /** The number of prompt tokens that the server reads per second. */
  readonly readsPerSecond?: number;
  readonly sampling?: Sampling;
}

/** Declares the person's choices about the model, and the model that results from them. */

import type { FormatId } from "@localharness/detect";
import type { Model } from "@localharness/engine";
import type { ProviderId } from "./catalog.ts";
import type { Place } from "./find-servers.ts";
import type { Limits } from "./http/patience.ts";
import type { RetryPolicy } from "./http/retry.ts";
import type { ModelTuning } from "./model-tuning.ts";
import type { Thinking } from "./ollama/request.ts";
import type { ModelProfile } from "./profile/model-profile.ts";
import type { ToolCallMode } from "./with-text-tool-calls.ts";

export interface ModelSelection {
  /** An id or alias from the catalog. */
  readonly provider?: string;
  /** The provider's name for the model; also `demo`, `demo:hermes`, `ollama/qwen3`. */
  readonly model?: string;
  /** Overrides the provider's address; without a provider it means any OpenAI-compatible server. */
  readonly baseUrl?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The keys in the key file, by provider id or alias. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly numCtx?: number;
  /** True if nobody chose `numCtx`, so that it may follow the video memory in the next run. */
  readonly learnsWindow?: boolean;
  /** Maximum tokens of one answer. */
  readonly numPredict?: number;
  readonly keepAlive?: string | number;
  readonly think?: Thinking;
  /** The way in which tools are offered and calls are read; `auto` by default. */
  readonly toolCalls?: ToolCallMode;
  /** The formats that the model knows, the best first; by default those of its family. */
  readonly formats?: readonly FormatId[];
  /** Limits of time and length. The settings of the program set some of them. */
  readonly limits?: Partial<Limits> & { readonly connectMs?: number };
  /** The retry policy, set only by programs that use this package as a library. */
  readonly retry?: Partial<RetryPolicy>;
  /** Path of a file to record the provider's streams to. */
  readonly record?: string;
  /** Path of a recording to answer from instead of a server. */
  readonly replay?: string;
  /**
   * The addresses at which servers are searched if none is configured, instead of the usual ones. For programs that use
   * this package as a library.
   */
  readonly places?: readonly Place[];
  /** True to ask the server about the model's abilities before connecting, even if provider and name are given. */
  readonly look?: boolean;
  /** True if the person has just picked the model from a list; the reason for the choice then says so. */
  readonly picked?: boolean;
  /** Returns the habits of a model that earlier runs have learnt: the result of `ModelProfile.learnt` in those runs. */
  readonly learnt?: (provider: ProviderId, baseUrl: string, model: string) => readonly string[];
  /** Returns what is known to suit a model. */
  readonly tuned?: (provider: ProviderId, baseUrl: string, model: string) => ModelTuning | undefined;
  /** Receives a message while a server loads its model. Without this callback the search does not wait for it. */
  readonly whileLoading?: (message: string) => void;
  /** `FindOptions.limitMs` for the search. Only for programs that use this package as a library. */
  readonly findMs?: number;
}

export interface SelectedModel {
  readonly model: Model;
  readonly provider: ProviderId;
  /** The address of the server; empty for the demo. It may contain a password; show it only through `bareUrl`. */
  readonly baseUrl: string;
  /** A sentence for the person: which model is used, and why. */
  readonly reason: string;
  /** The context window in tokens with which the model runs; absent if unknown. */
  readonly contextWindow?: number;
  /** True if the model accepts images; absent if that is unknown. */
  readonly canSee?: boolean;
  /** The known properties of the model; absent if there is no server. */
  readonly profile?: ModelProfile;
}

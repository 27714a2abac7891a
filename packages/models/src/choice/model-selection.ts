/** Declares the person's choices about the model, and the model that results from them. */

import type { FormatId } from "@localharness/detect";
import type { Model } from "@localharness/engine";
import type { WaitLimits } from "../http/patience.ts";
import type { RetryPolicy } from "../http/retry.ts";
import type { ModelProfile } from "../request/profile/model-profile.ts";
import type { ToolCallMode } from "../text-calls/with-text-tool-calls.ts";
import type { Thinking } from "../wire/ollama/request.ts";
import type { ProviderId } from "./catalog.ts";
import type { PossiblePlace } from "./find-servers.ts";
import type { ModelTuning } from "./model-tuning.ts";

export interface ModelSelection {
  /** An id or alias from the catalog. */
  readonly provider?: string;
  /** The provider's name for the model. Also accepts `demo`, `demo:hermes` and `ollama/qwen3`. */
  readonly model?: string;
  /**
   * The address, in place of the provider's address. If no provider is given, the provider with this address is used; else
   * `ollama` for port 11434 without a path, or `custom`, which stands for any OpenAI-compatible server.
   */
  readonly baseUrl?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The keys in the key file, by provider id or alias. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly numCtx?: number;
  /** True if the person did not choose `numCtx`. The profile then notes what fits into video memory. */
  readonly learnsWindow?: boolean;
  /** The maximum number of tokens in one answer. */
  readonly numPredict?: number;
  readonly keepAlive?: string | number;
  readonly think?: Thinking;
  /** How tools are offered and calls are read; `auto` by default. */
  readonly toolCalls?: ToolCallMode;
  /** The formats that the model knows, the best first. By default these are the formats of its family. */
  readonly formats?: readonly FormatId[];
  /** The limits of time and length. The settings of the program set some of them. */
  readonly limits?: Partial<WaitLimits> & { readonly connectMs?: number };
  /** The retry policy, set only by programs that use this package as a library. */
  readonly retry?: Partial<RetryPolicy>;
  /** The path of a file in which the provider's streams are recorded. */
  readonly record?: string;
  /** The path of a recording that answers in place of a server. */
  readonly replay?: string;
  /**
   * The addresses where servers are searched if none is configured, in place of `defaultPlaces`. Only for programs that use
   * this package as a library.
   */
  readonly places?: readonly PossiblePlace[];
  /** True to ask the server about the model's abilities before connecting, even if provider and name are given. */
  readonly look?: boolean;
  /** True if the person has just picked the model from a list; the reason for the choice then says so. */
  readonly picked?: boolean;
  /** Returns what earlier runs have learnt about a model: the words that `ModelProfile.learnt` returned. */
  readonly learnt?: (provider: ProviderId, baseUrl: string, model: string) => readonly string[];
  /** Returns the settings that are known to suit a model. */
  readonly tuned?: (provider: ProviderId, baseUrl: string, model: string) => ModelTuning | undefined;
  /** Called with a message while a server loads its model. If it is absent, the search does not wait for the server. */
  readonly whileLoading?: (message: string) => void;
  /** `FindOptions.limitMs` for the search. Only for programs that use this package as a library. */
  readonly findMs?: number;
}

export interface SelectedModel {
  readonly model: Model;
  readonly provider: ProviderId;
  /**
   * The address of the server; empty for the demo. It may contain a password, so it must be shown only through
   * `bareUrl`.
   */
  readonly baseUrl: string;
  /** A sentence for the person: which model is used, and why. */
  readonly reason: string;
  /** The context window in tokens with which the model runs; absent if it is unknown. */
  readonly contextWindow?: number;
  /** True if the model accepts images; absent if that is unknown. */
  readonly canSee?: boolean;
  /** The known properties of the model; absent if there is no server. */
  readonly profile?: ModelProfile;
}

/** What a person asked for, and what came of it. */
import type { Model } from "@localharness/engine";
import type { ProviderId } from "./catalog.ts";
import type { Place } from "./find-servers.ts";
import type { Limits } from "./http/patience.ts";
import type { RetryPolicy } from "./http/retry.ts";
import type { Thinking } from "./ollama/request.ts";
import type { ModelProfile } from "./profile/model-profile.ts";
import type { ToolCallMode } from "./with-text-tool-calls.ts";

export interface ModelSelection {
  /** An id of the catalog, or another name of it. */
  readonly provider?: string;
  /** A name as the provider knows it; also `demo`, `demo:hermes`, `ollama/qwen3`. */
  readonly model?: string;
  /** Overrides the provider's address; alone it means any OpenAI-compatible server. */
  readonly baseUrl?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** From the key file: provider id to key. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly numCtx?: number;
  /** Most tokens of one answer. */
  readonly numPredict?: number;
  readonly keepAlive?: string | number;
  readonly think?: Thinking;
  /** How calls are asked for and which count; `auto` by default. */
  readonly toolCalls?: ToolCallMode;
  /** For programs that use this as a library; the program itself keeps to what is usual. */
  readonly limits?: Partial<Limits> & { readonly connectMs?: number };
  /** As `limits`, for programs that use this as a library. */
  readonly retry?: Partial<RetryPolicy>;
  /** Path of a file to record the provider's streams to. */
  readonly record?: string;
  /** Path of a recording to answer from instead of a server. */
  readonly replay?: string;
  /** Where to look for servers when nothing is configured, in place of the usual addresses; as `limits`. */
  readonly places?: readonly Place[];
  /** Looks what the model can before it is connected, also where provider and name are given. */
  readonly look?: boolean;
  /** What earlier runs have learnt of a model: `ModelProfile.learnt` of then. */
  readonly learnt?: (provider: ProviderId, baseUrl: string, model: string) => readonly string[];
  /** Told what a server says that reads its model into memory; with it, that server is waited for. */
  readonly whileLoading?: (message: string) => void;
  /** `FindOptions.limitMs` of that look; as `limits`. */
  readonly findMs?: number;
}

export interface SelectedModel {
  readonly model: Model;
  readonly provider: ProviderId;
  /** Empty for those that have no address. May hold a password: shown by `bareUrl` only. */
  readonly baseUrl: string;
  /** What was taken and why, for the person. */
  readonly reason: string;
  /** Tokens that the model will run with, where that is known. */
  readonly contextWindow?: number;
  /** Whether it sees images; absent where nobody has said. */
  readonly canSee?: boolean;
  /** What is known of it; absent where there is no server. */
  readonly profile?: ModelProfile;
}

/** Declares the settings: their names and types, and the form of a row in the table of settings. */
import type { Sampling } from "@localharness/models";
import type { PermissionMode, ThemeName } from "@localharness/protocol";
import type { SearchService } from "@localharness/tools";
import type { OwnProfile } from "../models/model-profiles/own-profile.ts";
import type { HookSetting } from "../permission/hooks/hook-settings.ts";
import type { OptionName } from "./options.ts";
import type { ValueCheck } from "./value-checks.ts";

export interface ConfigValues {
  readonly provider?: string;
  readonly model?: string;
  /** The address of the server. */
  readonly host?: string;
  readonly num_ctx?: number;
  readonly num_predict?: number;
  readonly keep_alive?: string | number;
  readonly thinking?: boolean | "low" | "medium" | "high";
  /** Sampling settings by model name; `*` stands for any other model. */
  readonly sampling?: Readonly<Record<string, Sampling>>;
  /** What the person says about single models, by name; `*` stands for any other model. */
  readonly profiles?: Readonly<Record<string, OwnProfile>>;
  readonly text_tool_calls?: "auto" | "native" | "text";
  /** The maximum number of parallel requests of a run to one model server, those of agents included. */
  readonly parallel_requests?: number;
  /**
   * When old results and answers are left out of the prompt: before the context window is full, at `/compact`, or
   * never.
   */
  readonly compact?: "auto" | "ask" | "off";
  /** What `read_file` shows of a file with more than 100 lines; docs/curator.md describes the values. */
  readonly curator?: "off" | "structure" | "auto" | "on";
  /** True to add a summary by the model to outputs of commands that are too long for a result. */
  readonly output_summaries?: boolean;
  readonly mode?: PermissionMode;
  /** True to ask before files are read, even in trusted folders. */
  readonly ask_reads?: boolean;
  readonly tools?: string | readonly string[];
  readonly "limits.calls_per_iteration"?: number;
  readonly "limits.iterations_per_turn"?: number;
  readonly "limits.iterations_without_progress"?: number;
  readonly "limits.calls_per_minute"?: number;
  readonly "limits.commands_per_turn"?: number;
  readonly "limits.bytes_written_per_turn"?: number;
  readonly "limits.answer_characters"?: number;
  /** Seconds to wait for the first token of an answer; 0 for no limit. */
  readonly "limits.first_token_seconds"?: number;
  /** The time limit of a model request beside the conversation, such as one of the curator, in seconds. */
  readonly "limits.beside_seconds"?: number;
  /** Shares of the context window in percent: see docs/context.md. */
  readonly "shares.system_prompt"?: number;
  readonly "shares.instructions"?: number;
  readonly "shares.tools"?: number;
  readonly "shares.result"?: number;
  readonly "shares.reply"?: number;
  /** `auto` offers the tools of the code index if the workspace has an index; `on` always offers them. */
  readonly index?: "off" | "auto" | "on";
  /** True to name related definitions after each result of `read_file`. */
  readonly index_see_also?: boolean;
  readonly diagnostics?: "auto" | "off";
  /** When the system prompt has a map of the repository. */
  readonly repository_map?: "off" | "auto" | "on";
  /** The name of the embedding model with which the index also finds code by meaning. */
  readonly embedding_model?: string;
  /**
   * The address of the server of the embedding model: with `/v1` at the end for the API of OpenAI, without it for
   * Ollama.
   */
  readonly embedding_url?: string;
  /** `keep` saves sessions on disk; `none` does not. */
  readonly sessions?: "keep" | "none";
  readonly sandbox?: "auto" | "require" | "off";
  /** Hosts that commands in the sandbox may reach. */
  readonly sandbox_domains?: readonly string[];
  /** Folders, in addition to the workspace, that commands in the sandbox may write to. */
  readonly sandbox_writable?: readonly string[];
  /** Places, usually in the home folder, that commands in the sandbox may read. */
  readonly sandbox_readable?: readonly string[];
  /** The risk of a command in a sandbox without network. */
  readonly sandbox_risk?: "high" | "medium";
  /** True if `web_fetch` may reach this machine and private networks. */
  readonly web_allow_private?: boolean;
  /** The service that `web_search` asks. If it is not set, the tool is not offered. */
  readonly web_search_provider?: SearchService["provider"];
  /** The address of the search service. */
  readonly web_search_url?: string;
  /** `off` starts no MCP server. */
  readonly mcp?: "on" | "off";
  /** The maximum time that the first message waits for MCP servers, in seconds. */
  readonly mcp_wait_seconds?: number;
  /** The time limit for a call of an MCP server that reports no progress, in seconds. */
  readonly mcp_call_seconds?: number;
  readonly theme?: ThemeName;
  readonly screen_reader?: boolean;
  readonly editor_keys?: "default" | "vim";
  /** How the screen notifies the person. */
  readonly notify?: "auto" | "off" | "bell" | "osc9" | "osc777";
  readonly notify_when?: "away" | "always";
  readonly terminal_title?: boolean;
  /** The maximum size of what is kept for undo over all sessions, in megabytes. */
  readonly undo_megabytes?: number;
  /** The maximum size of what is kept before commands over all workspaces and sessions, in megabytes. */
  readonly snapshot_megabytes?: number;
  /** The maximum size of a file that is kept before commands, in megabytes. */
  readonly snapshot_file_megabytes?: number;
  /** The address that `localharness serve` tells of questions and ended turns. */
  readonly webhook?: string;
  /** `localharness serve` closes a session after so many minutes without a watcher and without work; 0 for never. */
  readonly idle_minutes?: number;
  /** Programs that are asked before and after tool calls, and at the end of turns. */
  readonly hooks?: readonly HookSetting[];
  /** The prices of a million tokens of prompts and of answers, for `/cost`, in any currency. */
  readonly price_input?: number;
  readonly price_output?: number;
}

export type ConfigKey = keyof ConfigValues;

export interface Field extends ValueCheck {
  readonly key: ConfigKey;
  readonly flag?: OptionName;
  /** The value of the setting if the option is given as a switch; `true` by default. */
  readonly flagMeans?: string;
  readonly about: string;
  /** The default value, or a description of its source. */
  readonly unset: string;
}

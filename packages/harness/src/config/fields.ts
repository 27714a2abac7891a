/** Defines the table of settings: the key, the option, the meaning and the valid values of each setting. */
import { defaultLimits } from "@localharness/engine/limits";
import type { Sampling } from "@localharness/models";
import { defaultAnswerChars, defaultFirstTokenMs } from "@localharness/models/default-limits";
import { defaultNumCtx } from "@localharness/models/default-num-ctx";
import { type PermissionMode, permissionModes } from "@localharness/protocol";
import type { SearchService } from "@localharness/tools";
import { defaultChangeLimits } from "@localharness/tools/default-change-limits";
import type { HookSetting } from "../hooks/hook-settings.ts";
import { defaultCallSeconds, defaultWaitSeconds } from "../mcp/limits.ts";
import type { OptionName } from "../options.ts";
import {
  address,
  duration,
  hooks,
  integer,
  list,
  oneOf,
  price,
  sampling,
  text,
  thinking,
  tools,
  type ValueCheck,
  yesOrNo,
} from "./value-checks.ts";

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
  readonly text_tool_calls?: "auto" | "native" | "text";
  /** The maximum number of parallel model calls of agents to one server. */
  readonly parallel_requests?: number;
  /**
   * When old results and answers are left out of the prompt: before the context window is full, at `/compact`, or
   * never.
   */
  readonly compact?: "auto" | "ask" | "off";
  /** What `read_file` shows of a file with more than 100 lines; docs/curator.md describes the values. */
  readonly curator?: "off" | "structure" | "auto" | "on";
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
  /** `auto` offers the tools of the code index if the workspace has an index; `on` always offers them. */
  readonly index?: "off" | "auto" | "on";
  /** True to name related definitions after each result of `read_file`. */
  readonly index_see_also?: boolean;
  /** `keep` saves sessions on disk; `none` saves nothing. */
  readonly sessions?: "keep" | "none";
  readonly sandbox?: "auto" | "require" | "off";
  /** Hosts that commands in the sandbox may reach. */
  readonly sandbox_domains?: readonly string[];
  /** Folders, in addition to the workspace, that commands in the sandbox may write to. */
  readonly sandbox_writable?: readonly string[];
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
  /** Programs that are asked before and after tool calls, and at the end of turns. */
  readonly hooks?: readonly HookSetting[];
  /** The price of a million tokens, for `/cost`, in any currency. */
  readonly price_input?: number;
  readonly price_output?: number;
}

export type ThemeName = "auto" | "dark" | "light" | "high-contrast" | "terminal";

export type ConfigKey = keyof ConfigValues;

export interface Field extends ValueCheck {
  readonly key: ConfigKey;
  readonly flag?: OptionName;
  /** The value that the option has if it is given as a switch, without a value. */
  readonly flagMeans?: string;
  readonly about: string;
  /** The default value, or a description of its source. */
  readonly unset: string;
}

/** The tool set that is used if no setting names tools. */
export const defaultTools = "standard";

const themeNames: readonly ThemeName[] = ["auto", "dark", "light", "high-contrast", "terminal"];
/** The number of bytes in one megabyte of `undo_megabytes`. */
export const bytesPerMegabyte = 1024 * 1024;

export const fields: readonly Field[] = [
  {
    key: "provider",
    flag: "provider",
    about: "the provider that serves the model",
    unset: "the one whose server is found",
    ...text("a name such as ollama"),
  },
  {
    key: "model",
    flag: "model",
    about: "the model",
    unset: "one that the server has",
    ...text("a name such as qwen3:8b"),
  },
  {
    key: "host",
    flag: "base-url",
    about: "address of the server",
    unset: "the provider's own",
    ...text("an address such as http://localhost:11434"),
  },
  {
    key: "num_ctx",
    flag: "num-ctx",
    about: "context window to request from Ollama, in tokens",
    unset: `${defaultNumCtx}, or that of a loaded model`,
    ...integer(256, 16_777_216),
  },
  {
    key: "num_predict",
    about: "maximum tokens of one answer, -1 for no limit",
    unset: "the server's",
    ...integer(-2, 16_777_216),
  },
  {
    key: "keep_alive",
    about: "how long Ollama keeps the model loaded",
    unset: "the server's",
    ...duration(),
  },
  {
    key: "thinking",
    about: "whether the model reasons before it answers",
    unset: "the model's",
    ...thinking(),
  },
  {
    key: "sampling",
    about: "sampling by model: temperature, top_p, top_k, min_p, repeat_penalty",
    unset: "the server's",
    ...sampling(),
  },
  {
    key: "text_tool_calls",
    flag: "text-tool-calls",
    about:
      "which tool calls are read: auto reads native calls and calls in text, native or text only that kind",
    unset: "auto",
    ...oneOf(["auto", "native", "text"]),
  },
  {
    key: "parallel_requests",
    about:
      "model calls of agents at once; 1 for Ollama, LM Studio, llama.cpp and unknown local servers, else 4",
    unset: "1 or 4",
    ...integer(1, 64),
  },
  {
    key: "compact",
    flag: "compact",
    about: "whether old results and answers are left out when the context window is nearly full",
    unset: "auto",
    ...oneOf(["auto", "ask", "off"]),
  },
  {
    key: "curator",
    about:
      "what read_file shows of a file of more than 100 lines: off its beginning, structure its declarations, on what the model chooses, auto the same for very long files",
    unset: "off",
    ...oneOf(["off", "structure", "auto", "on"]),
  },
  { key: "mode", flag: "mode", about: "permission mode", unset: "default", ...oneOf(permissionModes) },
  {
    key: "ask_reads",
    about: "whether reading ordinary files is asked about in trusted folders too",
    unset: "false",
    ...yesOrNo(),
  },
  { key: "tools", flag: "tools", about: "tools that the model gets", unset: defaultTools, ...tools() },
  {
    key: "index",
    about: "whether the model gets the tools of the code index: auto if this folder has one, on always",
    unset: "auto",
    ...oneOf(["off", "auto", "on"]),
  },
  {
    key: "index_see_also",
    about: "whether each read of a file names related definitions from the index",
    unset: "false",
    ...yesOrNo(),
  },
  {
    key: "limits.calls_per_iteration",
    flag: "max-calls",
    about: "tool calls that are taken at once; the others of an answer follow",
    unset: String(defaultLimits.callsPerBatch),
    ...integer(1, 1000),
  },
  {
    key: "limits.iterations_per_turn",
    flag: "max-iterations",
    about: "model calls for one message",
    unset: String(defaultLimits.iterationsPerTurn),
    ...integer(1, 10_000),
  },
  {
    key: "limits.iterations_without_progress",
    about: "model calls in a row without progress that end a turn",
    unset: String(defaultLimits.iterationsWithoutProgress),
    ...integer(1, 10_000),
  },
  {
    key: "limits.calls_per_minute",
    about: "tool calls in a minute",
    unset: String(defaultLimits.callsPerMinute),
    ...integer(1, 100_000),
  },
  {
    key: "limits.commands_per_turn",
    about: "commands for one message",
    unset: String(defaultLimits.commandsPerTurn),
    ...integer(1, 100_000),
  },
  {
    key: "limits.bytes_written_per_turn",
    about: "bytes written to files for one message",
    unset: String(defaultLimits.bytesWrittenPerTurn),
    ...integer(1, 1_000_000_000_000),
  },
  {
    key: "limits.answer_characters",
    about: "characters of one answer, with its reasoning and its calls, after which it is cut",
    unset: String(defaultAnswerChars),
    ...integer(1_000, 100_000_000),
  },
  {
    key: "limits.first_token_seconds",
    about: "seconds to wait for the first token of an answer, 0 for no limit",
    unset: String(defaultFirstTokenMs / 1_000),
    ...integer(0, 1_000_000),
  },
  {
    key: "sessions",
    flag: "no-session",
    flagMeans: "none",
    about: "whether sessions are saved on disk",
    unset: "keep",
    ...oneOf(["keep", "none"]),
  },
  {
    key: "sandbox",
    flag: "sandbox",
    about: "whether commands run in a sandbox: auto when one is available, require always, off never",
    unset: "auto",
    ...oneOf(["auto", "require", "off"]),
  },
  {
    key: "sandbox_domains",
    about: "hosts that commands in the sandbox may reach",
    unset: "none",
    ...list('hosts such as ["*.example.com"]', /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i),
  },
  {
    key: "sandbox_writable",
    about: "further folders that commands in the sandbox may write to",
    unset: "none",
    ...list("absolute paths", /^\/./),
  },
  {
    key: "sandbox_risk",
    about: "risk of a command in a sandbox without network",
    unset: "high",
    ...oneOf(["high", "medium"]),
  },
  {
    key: "web_allow_private",
    about: "whether web_fetch may reach this machine and private networks",
    unset: "false",
    ...yesOrNo(),
  },
  {
    key: "web_search_provider",
    about: "the service of web_search",
    unset: "none: the tool is not offered",
    ...oneOf(["searxng", "brave", "tavily"]),
  },
  {
    key: "web_search_url",
    about: "address of the search service",
    unset: "the service's own; searxng has none",
    ...address("an address such as http://localhost:8888"),
  },
  {
    key: "mcp",
    about: "whether MCP servers are started",
    unset: "on",
    ...oneOf(["on", "off"]),
  },
  {
    key: "mcp_wait_seconds",
    about: "longest wait of the first message for MCP servers",
    unset: `${defaultWaitSeconds}`,
    ...integer(0, 600),
  },
  {
    key: "mcp_call_seconds",
    about: "time limit of a call of an MCP server that reports no progress",
    unset: `${defaultCallSeconds}`,
    ...integer(1, 3600),
  },
  {
    key: "theme",
    about: "colours of the screen; auto follows the terminal's background",
    unset: "terminal",
    ...oneOf(themeNames),
  },
  {
    key: "screen_reader",
    flag: "screen-reader",
    about: "prints line by line and never redraws, for screen readers",
    unset: "false",
    ...yesOrNo(),
  },
  {
    key: "editor_keys",
    about: "the keys that edit a message on the screen, from the next start on",
    unset: "default",
    ...oneOf(["default", "vim"]),
  },
  {
    key: "notify",
    about: "how the screen shows that a question waits or a turn has ended; auto follows the terminal",
    unset: "auto",
    ...oneOf(["auto", "off", "bell", "osc9", "osc777"]),
  },
  {
    key: "notify_when",
    about: "when it does so: away only while another window has the focus, always at any time",
    unset: "away",
    ...oneOf(["away", "always"]),
  },
  {
    key: "terminal_title",
    about: "whether the screen shows the session in the terminal's title",
    unset: "true",
    ...yesOrNo(),
  },
  {
    key: "hooks",
    about: "programs that are asked before and after tools, and at the end of turns (docs/hooks.md)",
    unset: "none",
    ...hooks(),
  },
  {
    key: "undo_megabytes",
    about: "megabytes of replaced and removed files kept for undo, 0 for none",
    unset: String(defaultChangeLimits.totalBytes / bytesPerMegabyte),
    ...integer(0, 1_000_000),
  },
  { key: "price_input", about: "price of a million prompt tokens, for /cost", unset: "unknown", ...price() },
  { key: "price_output", about: "price of a million answer tokens, for /cost", unset: "unknown", ...price() },
];

/**
 * Returns the name of the environment variable for a setting, such as `LOCALHARNESS_CALLS_PER_ITERATION` for
 * `limits.calls_per_iteration`.
 */
export function variableName(key: ConfigKey): string {
  return `LOCALHARNESS_${key.replace(/^limits\./, "").toUpperCase()}`;
}

/** The table of settings: the key, the option, the meaning and the valid values of each. */
import { defaultNumCtx } from "@localharness/models/default-num-ctx";
import { permissionModes, themeNames } from "@localharness/protocol";
import { defaultChangeLimits } from "@localharness/workspace/changes/default-change-limits";
import { defaultSnapshotLimits } from "@localharness/workspace/snapshots/default-snapshot-limits";
import { defaultIdleMinutes } from "../hub/idle-limit.ts";
import { defaultCallSeconds, defaultWaitSeconds } from "../mcp/limits.ts";
import { ownProfilesExpected, readOwnProfiles } from "../models/model-profiles/own-profile.ts";
import type { ConfigKey, Field } from "./config-values.ts";
import { limitFields } from "./limit-fields.ts";
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
  webhookAddress,
  yesOrNo,
} from "./value-checks.ts";

export type { ConfigKey, ConfigValues, Field } from "./config-values.ts";

/** The tool set that is used if no setting names tools. */
export const defaultTools = "standard";

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
    about: "context window in tokens: asked of Ollama, assumed of a local server that tells none",
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
    key: "profiles",
    about: "what suits single models, instead of what localharness doctor has found",
    unset: "the doctor's findings",
    expected: ownProfilesExpected,
    read: readOwnProfiles,
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
    ...integer(1, 4_096),
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
  {
    key: "diagnostics",
    about: "whether the result of an edit has the new errors that an installed language server finds",
    unset: "auto",
    ...oneOf(["auto", "off"]),
  },
  {
    key: "output_summaries",
    about: "whether the model summarises outputs of commands that are too long for a result",
    unset: "false",
    ...yesOrNo(),
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
    key: "repository_map",
    about:
      "whether the system prompt names the most used definitions of an indexed folder: auto in a window of 16,384 tokens or more",
    unset: "off",
    ...oneOf(["off", "auto", "on"]),
  },
  {
    key: "embedding_model",
    about: "the embedding model with which the index also finds code by meaning",
    unset: "none: the index compares words",
    ...text("a name such as nomic-embed-text"),
  },
  {
    key: "embedding_url",
    about: "address of the embedding model's server; with /v1 at the end it has the API of OpenAI",
    unset: "that of Ollama",
    ...address("an address such as http://localhost:8080/v1"),
  },
  ...limitFields,
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
    ...list(
      'hosts such as ["*.example.com"], or servers of this machine with their port such as ["localhost:4873"]',
      /^(?:(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*|(?:localhost|127(?:\.\d+){3}|\[::1\]):\d{1,5})$/i,
    ),
  },
  {
    key: "sandbox_writable",
    about: "further folders that commands in the sandbox may write to",
    unset: "none",
    ...list("absolute paths, or paths that begin with ~/", /^(?:\/.|~\/.)/),
  },
  {
    key: "sandbox_readable",
    about: "further places in the home folder that commands in the sandbox may read",
    unset: "none",
    ...list("absolute paths, or paths that begin with ~/", /^(?:~\/|\/)./),
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
    key: "webhook",
    about: "address that localharness serve tells of questions and ended turns (docs/server.md)",
    unset: "none",
    ...webhookAddress(),
  },
  {
    key: "idle_minutes",
    about: "minutes after which localharness serve closes a session that nobody watches, 0 for never",
    unset: String(defaultIdleMinutes),
    ...integer(0, 1_000_000),
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
  {
    key: "snapshot_megabytes",
    about: "megabytes of files kept before commands for undo, over all workspaces, 0 for none",
    unset: String(defaultSnapshotLimits.totalBytes / bytesPerMegabyte),
    ...integer(0, 1_000_000),
  },
  {
    key: "snapshot_file_megabytes",
    about: "size of the largest file that is kept before a command",
    unset: String(defaultSnapshotLimits.fileBytes / bytesPerMegabyte),
    ...integer(1, 64),
  },
  { key: "price_input", about: "price of a million prompt tokens, for /cost", unset: "unknown", ...price() },
  { key: "price_output", about: "price of a million answer tokens, for /cost", unset: "unknown", ...price() },
];

/**
 * Returns the name of the environment variable for a setting, such as `LOCALHARNESS_CALLS_PER_ITERATION` for
 * `limits.calls_per_iteration`.
 */
export function variableName(key: ConfigKey): string {
  return `LOCALHARNESS_${key
    .replace(/^limits\./, "")
    .replace(".", "_")
    .toUpperCase()}`;
}

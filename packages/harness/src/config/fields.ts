/**
 * The table of settings. Each row has all that is known of a setting: the key, the option, the meaning and the valid values.
 * The types below, the options of the command line, the environment variables, docs/settings.md and the JSON Schema are
 * derived from it.
 */
import { type JsonValue, permissionModes, themeNames } from "@localharness/protocol";
import { defaultChangeLimits } from "@localharness/workspace/changes/default-change-limits";
import { defaultSnapshotLimits } from "@localharness/workspace/snapshots/default-snapshot-limits";
import { defaultIdleMinutes } from "../hub/idle-limit.ts";
import { defaultCallSeconds, defaultWaitSeconds } from "../mcp/limits.ts";
import { limitFields } from "./limit-fields.ts";
import { modelFields } from "./model-fields.ts";
import type { SettingOption, SettingRow } from "./setting-row.ts";
import {
  address,
  hooks,
  integer,
  list,
  oneOf,
  price,
  text,
  tools,
  webhookAddress,
  yesOrNo,
} from "./value-checks.ts";

/** The tool set that is used if no setting names tools. */
export const defaultTools = "standard";

/** The number of bytes in one megabyte of `undo_megabytes`. */
export const bytesPerMegabyte = 1024 * 1024;

const rows = [
  ...modelFields,
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
  {
    key: "mode",
    option: {
      name: "mode",
      value: "MODE",
      help: `permissions: ${permissionModes.join(", ")}`,
      after: "add-dir",
    },
    about: "permission mode",
    unset: "default",
    ...oneOf(permissionModes),
  },
  {
    key: "ask_reads",
    about: "whether reading ordinary files is asked about in trusted folders too",
    unset: "false",
    ...yesOrNo(),
  },
  {
    key: "tools",
    option: {
      name: "tools",
      value: "SET",
      help: "minimal, standard, all, or names separated by commas",
      after: "mode",
    },
    about: "tools that the model gets",
    unset: defaultTools,
    ...tools(),
  },
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
    option: {
      name: "no-session",
      means: "none",
      help: "do not save this session on disk",
      after: "resume",
    },
    about: "whether sessions are saved on disk",
    unset: "keep",
    ...oneOf(["keep", "none"]),
  },
  {
    key: "sandbox",
    option: {
      name: "sandbox",
      value: "MODE",
      help: "sandbox for commands: auto, require, off [auto]",
      after: "trust",
    },
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
      /^(?:(?:\*\.)?[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*|(?:localhost|127(?:\.\d+){3}|\[::1\]):\d{1,5})$/i,
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
    option: {
      name: "screen-reader",
      help: "chat line by line, for screen readers",
      after: "interactive",
      onlyChat: true,
    },
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
] as const satisfies readonly SettingRow[];

type Row = (typeof rows)[number];

/** The values of the settings that are set. */
export type ConfigValues = {
  readonly [row in Row as row["key"]]?: Exclude<ReturnType<row["read"]>, undefined>;
};

export type ConfigKey = Row["key"];

/** The name of an option that sets a setting. */
export type SettingOptionName = Extract<Row, { readonly option: SettingOption }>["option"]["name"];

export interface Field extends SettingRow {
  readonly key: ConfigKey;
  readonly option?: SettingOption & { readonly name: SettingOptionName };
  /** Returns the valid value, which is JSON as the value that it was read from; undefined if the value is invalid. */
  read(value: JsonValue): JsonValue | undefined;
}

/** The rows of all settings. The checks return other types than JSON only because they name the parts of the value. */
export const fields = rows as readonly SettingRow[] as readonly Field[];

/** Returns the default value; undefined if `unset` only describes where it comes from. */
export function defaultOf({ choices, schema, unset, read }: Field): JsonValue | undefined {
  return choices !== undefined || schema["type"] === "integer" ? read(unset) : undefined;
}

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

/** The table of settings: the key, the option, the meaning and the valid values of each. */
import { type JsonValue, type PermissionMode, permissionModes } from "@localharness/protocol";
import { type HookSetting, hooksExpected, isOwnProgram, readHookSettings } from "../hooks/hook-settings.ts";
import type { OptionName } from "../options.ts";

export interface ConfigValues {
  readonly provider?: string;
  readonly model?: string;
  /** Address of the server. */
  readonly host?: string;
  readonly num_ctx?: number;
  readonly num_predict?: number;
  readonly keep_alive?: string | number;
  readonly thinking?: boolean | "low" | "medium" | "high";
  readonly text_tool_calls?: "auto" | "native" | "text";
  /** Model calls of agents that one server gets at once. */
  readonly parallel_requests?: number;
  readonly mode?: PermissionMode;
  /** Whether looking at files is asked about in trusted folders too. */
  readonly ask_reads?: boolean;
  readonly tools?: string | readonly string[];
  readonly "limits.calls_per_iteration"?: number;
  readonly "limits.iterations_per_turn"?: number;
  readonly "limits.calls_per_minute"?: number;
  readonly "limits.commands_per_turn"?: number;
  readonly "limits.bytes_written_per_turn"?: number;
  /** Whether sessions are saved on disk. */
  readonly sessions?: "keep" | "none";
  readonly sandbox?: "auto" | "require" | "off";
  /** Hosts that commands in the sandbox may reach. */
  readonly sandbox_domains?: readonly string[];
  /** Folders, in addition to the workspace, that commands in the sandbox may write to. */
  readonly sandbox_writable?: readonly string[];
  /** Risk of a command in a sandbox without network. */
  readonly sandbox_risk?: "high" | "medium";
  readonly theme?: ThemeName;
  readonly screen_reader?: boolean;
  readonly editor_keys?: "default" | "vim";
  /** Megabytes kept for undo, over all sessions. */
  readonly undo_megabytes?: number;
  /** Programs that are asked before and after tool calls, and at the end of turns. */
  readonly hooks?: readonly HookSetting[];
  /** The price of a million tokens, for `/cost`, in any currency. */
  readonly price_input?: number;
  readonly price_output?: number;
}

export type ThemeName = "auto" | "dark" | "light" | "high-contrast" | "terminal";

export type ConfigKey = keyof ConfigValues;

export interface Field {
  readonly key: ConfigKey;
  readonly flag?: OptionName;
  /** The value that a command line switch without a value sets. */
  readonly flagMeans?: string;
  readonly about: string;
  /** The value in force without the setting, or in words where it comes from. */
  readonly unset: string;
  /** A valid value, in words. */
  readonly expected: string;
  /** All valid values, when they are a short list. */
  readonly choices?: readonly string[];
  /** Returns the typed value; undefined when it is invalid. Values from the environment are text. */
  read(value: JsonValue): JsonValue | undefined;
}

const themeNames: readonly ThemeName[] = ["auto", "dark", "light", "high-contrast", "terminal"];

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
    unset: "16384, or that of a loaded model",
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
  { key: "mode", flag: "mode", about: "permission mode", unset: "default", ...oneOf(permissionModes) },
  {
    key: "ask_reads",
    about: "whether reading ordinary files is asked about in trusted folders too",
    unset: "false",
    ...yesOrNo(),
  },
  { key: "tools", flag: "tools", about: "tools that the model gets", unset: "standard", ...tools() },
  {
    key: "limits.calls_per_iteration",
    flag: "max-calls",
    about: "tool calls in one iteration",
    unset: "15",
    ...integer(1, 1000),
  },
  {
    key: "limits.iterations_per_turn",
    flag: "max-iterations",
    about: "model calls for one message",
    unset: "10",
    ...integer(1, 10_000),
  },
  { key: "limits.calls_per_minute", about: "tool calls in a minute", unset: "120", ...integer(1, 100_000) },
  {
    key: "limits.commands_per_turn",
    about: "commands for one message",
    unset: "100",
    ...integer(1, 100_000),
  },
  {
    key: "limits.bytes_written_per_turn",
    about: "bytes written to files for one message",
    unset: "50000000",
    ...integer(1, 1_000_000_000_000),
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
    key: "hooks",
    about: "programs that are asked before and after tools, and at the end of turns (docs/hooks.md)",
    unset: "none",
    ...hooks(),
  },
  {
    key: "undo_megabytes",
    about: "megabytes of replaced and removed files kept for undo, 0 for none",
    unset: "256",
    ...integer(0, 1_000_000),
  },
  { key: "price_input", about: "price of a million prompt tokens, for /cost", unset: "unknown", ...price() },
  { key: "price_output", about: "price of a million answer tokens, for /cost", unset: "unknown", ...price() },
];

/**
 * Returns the environment variable of a setting: `LOCALHARNESS_CALLS_PER_ITERATION` for `limits.calls_per_iteration`.
 */
export function variableName(key: ConfigKey): string {
  return `LOCALHARNESS_${key.replace(/^limits\./, "").toUpperCase()}`;
}

type Check = Pick<Field, "expected" | "read" | "choices">;

function text(expected: string): Check {
  return {
    expected,
    read: (value) => (typeof value === "string" && value.trim() !== "" ? value : undefined),
  };
}

function integer(least: number, most: number): Check {
  return {
    expected: `a whole number from ${least} to ${most}`,
    read(value) {
      const number = typeof value === "string" && /^-?[0-9]+$/.test(value) ? Number(value) : value;
      const right =
        typeof number === "number" && Number.isInteger(number) && number >= least && number <= most;
      return right ? number : undefined;
    },
  };
}

function oneOf(choices: readonly string[]): Check {
  return {
    expected: `one of ${choices.join(", ")}`,
    choices,
    read: (value) => (typeof value === "string" && choices.includes(value) ? value : undefined),
  };
}

function yesOrNo(): Check {
  return {
    expected: "true or false",
    choices: ["true", "false"],
    read(value) {
      if (typeof value === "boolean") return value;
      return value === "true" || value === "false" ? value === "true" : undefined;
    },
  };
}

function price(): Check {
  return {
    expected: "a number such as 0.25",
    read(value) {
      const number = typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : undefined;
    },
  };
}

function list(what: string, right: RegExp): Check {
  return {
    expected: `a list of ${what}`,
    read(value) {
      const items = typeof value === "string" ? value.split(",").map((item) => item.trim()) : value;
      const all = Array.isArray(items) && items.every((item) => typeof item === "string" && right.test(item));
      return all ? items : undefined;
    },
  };
}

function hooks(): Check {
  return {
    expected: `${hooksExpected}; a program is an absolute path or a name`,
    read(value) {
      const right = readHookSettings(value);
      return right?.every(({ command }) => isOwnProgram(command)) === true ? value : undefined;
    },
  };
}

function duration(): Check {
  return {
    expected: 'a time such as "10m" or "-1", or a number of seconds',
    read(value) {
      if (typeof value === "number") return value;
      return typeof value === "string" && /^-?[0-9.]+(ns|us|ms|s|m|h)?$/.test(value) ? value : undefined;
    },
  };
}

function thinking(): Check {
  const words: Readonly<Record<string, JsonValue>> = {
    true: true,
    false: false,
    low: "low",
    medium: "medium",
    high: "high",
  };
  return {
    expected: "true, false, low, medium or high",
    choices: Object.keys(words),
    read: (value) => (Object.hasOwn(words, String(value)) ? words[String(value)] : undefined),
  };
}

function tools(): Check {
  return {
    expected: "minimal, standard, all, or a list of tool names",
    read(value) {
      if (typeof value === "string" && value.trim() !== "") return value;
      const right =
        Array.isArray(value) && value.length > 0 && value.every((name) => typeof name === "string");
      return right ? value : undefined;
    },
  };
}

/** The settings that limit a turn, an answer, or a part of the context window. */
import { defaultShares } from "@localharness/context/budgets";
import { defaultLimits } from "@localharness/engine/limits";
import { defaultAnswerChars, defaultFirstTokenMs } from "@localharness/models/default-limits";
import type { SettingRow } from "./setting-row.ts";
import { integer } from "./value-checks.ts";

export const limitFields = [
  {
    key: "limits.calls_per_iteration",
    option: {
      name: "calls-per-iteration",
      aliases: ["max-calls"],
      value: "N",
      help: "tool calls that are taken at once",
      after: "text-tool-calls",
    },
    about: "tool calls that are taken at once; the others of an answer follow",
    unset: String(defaultLimits.callsPerIteration),
    ...integer(1, 1000),
  },
  {
    key: "limits.iterations_per_turn",
    option: {
      name: "iterations-per-turn",
      aliases: ["max-iterations"],
      value: "N",
      help: `model calls for one message [${defaultLimits.iterationsPerTurn}]`,
      after: "text-tool-calls",
    },
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
    key: "limits.beside_seconds",
    about: "seconds for a request beside the conversation, such as one of the curator",
    unset: String(defaultLimits.besideSeconds),
    ...integer(1, 3_600),
  },
  {
    key: "shares.system_prompt",
    about:
      "percent of the context window for the system prompt; a short one is used if the usual one has more",
    unset: String(defaultShares.systemPrompt),
    ...integer(1, 60),
  },
  {
    key: "shares.instructions",
    about: "percent of the context window for your instructions and those of the project",
    unset: String(defaultShares.instructions),
    ...integer(0, 60),
  },
  {
    key: "shares.tools",
    about: "percent of the context window for the descriptions of tools, which are shortened above it",
    unset: String(defaultShares.tools),
    ...integer(1, 60),
  },
  {
    key: "shares.result",
    about: "percent of the context window for one tool result",
    unset: String(defaultShares.result),
    ...integer(1, 20),
  },
  {
    key: "shares.reply",
    about: "percent of the context window that a prompt leaves for the answer",
    unset: String(defaultShares.reply),
    ...integer(5, 60),
  },
] as const satisfies readonly SettingRow[];

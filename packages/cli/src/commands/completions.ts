/** `localharness completions`: prints the script with which a shell completes commands, options and their values. */
import { usageError } from "@localharness/engine";
import { completionScript, shells } from "@localharness/harness/completions/completion-script";
import type {
  CompletionCommand,
  CompletionFlag,
  CompletionTable,
  PathKind,
} from "@localharness/harness/completions/completion-table";
import { fields } from "@localharness/harness/config/fields";
import { exitCodes } from "@localharness/harness/exit-code";
import { providers } from "@localharness/models";
import { defined, exportFormats } from "@localharness/protocol";
import { toolSetNames } from "@localharness/tools";
import { type CommandSpec, commands, subcommands } from "../arguments/commands.ts";
import { flags } from "../arguments/flags.ts";
import type { Invocation } from "../arguments/parse.ts";

/**
 * The values to complete for options and settings that have no `choices`, because other values are valid too. A key of two
 * words is a command and its option.
 */
const knownValues: Readonly<Record<string, readonly string[]>> = {
  tools: toolSetNames,
  provider: providers.map(({ id }) => id),
  "sessions format": exportFormats,
};

export async function runCompletions({ positionals }: Invocation): Promise<number> {
  const shell = shells.find((one) => one === positionals[0]);
  if (shell === undefined || positionals.length > 1) {
    const got = positionals.length === 0 ? "no shell" : `"${positionals.join(" ")}"`;
    throw usageError(`completions expects one of ${shells.join(", ")}; got ${got}`);
  }
  process.stdout.write(completionScript(shell, completionTable()));
  return exitCodes.done;
}

export function completionTable(): CompletionTable {
  return { program: "localharness", commands: commands.map(commandOf) };
}

function commandOf(spec: CommandSpec): CompletionCommand {
  const { name, summary, usage } = spec;
  const keys = fields.map(({ key, choices = knownValues[key] ?? [] }) => ({ name: key, values: choices }));
  const keyed = name === "config" ? { verbs: ["set", "unset"], keys } : undefined;
  const paths = name === "chat" ? undefined : pathsIn(usage.join(" "));
  return { name, summary, verbs: subcommands(name), flags: flagsOf(spec), ...defined({ keyed, paths }) };
}

function flagsOf({ name: command, flags: names, flagWords = {} }: CommandSpec): readonly CompletionFlag[] {
  const own = flags.filter(({ name }) => names.includes(name) || name === "help");
  return own.map(({ name, short, kind, choices, ...flag }) => {
    const { value = "", help } = { ...flag, ...flagWords[name] };
    const paths = pathsIn(value);
    const values = choices ?? knownValues[`${command} ${name}`] ?? knownValues[name] ?? [];
    return {
      name,
      help,
      takesValue: kind !== "switch" && kind !== "optional",
      values,
      ...defined({ short, paths }),
    };
  });
}

/** Returns the kind of path that `FILE` or `DIR` in a text of the help stands for; undefined if the text has neither. */
function pathsIn(text: string): PathKind | undefined {
  if (text.includes("FILE")) return "files";
  return text.includes("DIR") ? "folders" : undefined;
}

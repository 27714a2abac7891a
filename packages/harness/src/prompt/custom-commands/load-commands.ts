/** Loads the custom commands of the person and of a trusted project. */
import { usageError } from "@localharness/engine";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { findMarkdownFiles } from "../markdown-files.ts";
import { type CommandFile, expandTemplate, readCommandFile } from "./command-file.ts";
import { initCommand, initName } from "./init-command.ts";

export interface CustomCommands {
  /** Reads the files and returns the commands. Never rejects. */
  list(): Promise<LoadedCommands>;
  /**
   * Returns the message of a command, or of `/init`. Rejects with a `HarnessError` (`usage`) if there is no command of that
   * name, or if it is a prompt of an MCP server that gives no message.
   */
  expand(name: string, typed: string): Promise<string>;
  /**
   * Returns the message of the command, or of `/init`, that a line names. Returns the line itself if it names no command.
   * Rejects with a `HarnessError` if the command is a prompt of an MCP server that gives no message.
   */
  expandLine(line: string): Promise<string>;
}

export interface LoadedCommands {
  /** The commands, with unique names. */
  readonly commands: readonly (CommandFile & { readonly origin: "user" | "project" })[];
  /** Messages for the person about invalid files. */
  readonly warnings: readonly string[];
}

/** Opens the commands. Pass `workspace` only if it is trusted. */
export function openCustomCommands(
  folder: string | undefined,
  workspace: Workspace | undefined,
): CustomCommands {
  const list = () => loadCommands(folder, workspace);
  const find = async (name: string): Promise<CommandFile | undefined> =>
    name === initName ? initCommand(workspace) : (await list()).commands.find((one) => one.name === name);
  return {
    list,
    async expand(name, typed) {
      const command = await find(name);
      if (command === undefined) throw usageError(`there is no command /${name}`);
      return expandTemplate(command.template, typed);
    },
    async expandLine(line) {
      const [, name = "", typed = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
      const command = name === "" ? undefined : await find(name);
      return command === undefined ? line : expandTemplate(command.template, typed);
    },
  };
}

async function loadCommands(
  folder: string | undefined,
  workspace: Workspace | undefined,
): Promise<LoadedCommands> {
  const commands = new Map<string, LoadedCommands["commands"][number]>();
  const warnings: string[] = [];
  for (const { path, name, origin, text, warnings: hidden } of await findMarkdownFiles(
    "commands",
    folder,
    workspace,
  )) {
    warnings.push(...hidden);
    const read = text.ok ? readCommandFile(text.value, name) : text.problem;
    if (typeof read === "string") warnings.push(`the command in ${path} is not used: ${read}`);
    else if (commands.has(read.name)) {
      warnings.push(`the command in ${path} is not used: your own /${read.name} takes precedence`);
    } else commands.set(read.name, { ...read, origin });
  }
  return { commands: [...commands.values()], warnings };
}

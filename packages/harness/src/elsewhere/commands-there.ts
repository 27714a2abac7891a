/** Adds the custom commands of a folder that another machine lends. That machine reads the files, if it trusts the folder. */
import type { Link } from "@localharness/mcp/elsewhere";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { type CommandFile, expandTemplate } from "../prompt/custom-commands/command-file.ts";
import { initName } from "../prompt/custom-commands/init-command.ts";
import type { CustomCommands, LoadedCommands } from "../prompt/custom-commands/load-commands.ts";
import { withoutHidden } from "../prompt/instructions/hidden-characters.ts";

/** The maximum number of commands that are taken from the other machine. */
const maxCommands = 50;
/** The maximum number of characters of each text of a command. */
const maxChars = 64 * 1024;

/**
 * Returns the person's own commands, followed by those of the folder. A command of the person takes precedence, and so does
 * `/init`.
 */
export function withCommandsThere(own: CustomCommands, { look }: Pick<Link, "look">): CustomCommands {
  const list = async (): Promise<LoadedCommands> => {
    const [here, answer] = await Promise.all([
      own.list(),
      look("localharness/commands", {}).catch(() => ({ commands: [] })),
    ]);
    const all = Array.isArray(answer["commands"]) ? answer["commands"].slice(0, maxCommands) : [];
    const taken = new Set([initName, ...here.commands.map(({ name }) => name)]);
    const there = all.flatMap((one) => {
      const command = readCommand(one);
      return command === undefined || taken.has(command.name)
        ? []
        : { ...command, origin: "project" as const };
    });
    return { ...here, commands: [...here.commands, ...there] };
  };
  const find = async (name: string): Promise<CommandFile | undefined> => {
    if (name === initName) return undefined;
    const found = (await list()).commands.find((one) => one.name === name);
    return found?.origin === "project" ? found : undefined;
  };
  return {
    list,
    async expand(name, typed) {
      const command = await find(name);
      return command === undefined ? own.expand(name, typed) : expandTemplate(command.template, typed);
    },
    async expandLine(line) {
      const [, name, typed = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
      const command = name === undefined ? undefined : await find(name);
      return command === undefined ? own.expandLine(line) : expandTemplate(command.template, typed);
    },
  };
}

function readCommand(value: JsonValue): CommandFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { name, about, argumentHint, template } = value;
  const texts = [name, about, template, argumentHint];
  if (!texts.every((text) => typeof text === "string" && text.length <= maxChars)) return undefined;
  if (!/^[a-z0-9][\w-]{0,39}$/i.test(String(name))) return undefined;
  const seen = (text: JsonValue | undefined) => withoutHidden(String(text), `the command /${name}`).text;
  return {
    name: String(name),
    about: seen(about),
    template: seen(template),
    ...(argumentHint === "" ? {} : { argumentHint: seen(argumentHint) }),
  };
}

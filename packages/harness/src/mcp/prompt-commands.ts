/** Adds the prompts of MCP servers to the custom commands of the person. */
import type { ServerPrompt } from "@localharness/mcp";
import type { Guidance } from "../compose/guidance.ts";
import type { CustomCommands } from "../prompt/custom-commands/load-commands.ts";
import type { Mcp } from "./open-mcp.ts";

/**
 * Returns the guidance with a command for each prompt of the running servers. A command of the person takes precedence.
 */
export function withPrompts(guidance: Guidance, mcp: Mcp): Guidance {
  return { ...guidance, commands: (trust) => commandsWith(guidance.commands(trust), () => mcp.prompts()) };
}

function commandsWith(own: CustomCommands, prompts: () => Promise<readonly ServerPrompt[]>): CustomCommands {
  const find = async (name: string) => {
    if (!name.includes("__")) return undefined;
    const { commands } = await own.list();
    if (commands.some((one) => one.name === name)) return undefined;
    return (await prompts()).find((one) => one.name === name);
  };
  return {
    async list() {
      const { commands, warnings } = await own.list();
      const names = new Set(commands.map(({ name }) => name));
      const more = (await prompts()).filter(({ name }) => !names.has(name));
      const added = more.map(({ name, about, argumentHint }) => ({
        ...{ name, about, template: "", origin: "user" as const },
        ...(argumentHint === "" ? {} : { argumentHint }),
      }));
      return { commands: [...commands, ...added], warnings };
    },
    async expand(name, typed) {
      const prompt = await find(name);
      return prompt === undefined ? own.expand(name, typed) : prompt.expand(typed);
    },
    async expandLine(line) {
      const [, name = "", typed = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
      const prompt = await find(name);
      return prompt === undefined ? own.expandLine(line) : prompt.expand(typed);
    },
  };
}

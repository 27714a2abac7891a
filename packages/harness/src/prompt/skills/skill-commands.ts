/** Makes a slash command of each skill: `/NAME` sends the text of the skill as the message. */
import { usageError } from "@localharness/engine";
import type { CustomCommands } from "../custom-commands/load-commands.ts";
import type { LoadedSkills, Skill } from "./load-skills.ts";
import { readSkillText, skillMessage } from "./read-skill-text.ts";

/**
 * Returns the commands, and one for each skill that a person may name. A command takes precedence over a skill of its name.
 * `maxChars` returns the number of characters of a skill that become part of the message.
 */
export function withSkills(
  own: CustomCommands,
  load: () => Promise<LoadedSkills>,
  maxChars: () => number,
): CustomCommands {
  const find = async (name: string): Promise<Skill | undefined> => {
    const skill = (await load()).skills.find((one) => one.name === name && one.forPerson);
    if (skill === undefined) return undefined;
    const { commands } = await own.list();
    return commands.some((command) => command.name === name) ? undefined : skill;
  };
  const send = async (skill: Skill, typed: string): Promise<string> => {
    const text = await readSkillText(skill);
    if (!text.ok) throw usageError(`the skill ${skill.name} cannot be read: ${text.message}`);
    return skillMessage(skill, text.value, typed, maxChars());
  };
  return {
    async list() {
      const [{ commands, warnings }, loaded] = await Promise.all([own.list(), load()]);
      const taken = new Set(commands.map(({ name }) => name));
      const added = loaded.skills
        .filter(({ name, forPerson }) => forPerson && !taken.has(name))
        .map(({ name, description, origin }) => ({
          name,
          about: shortened(description),
          origin,
          template: "",
        }));
      return { commands: [...commands, ...added], warnings: [...warnings, ...loaded.warnings] };
    },
    async expand(name, typed) {
      const skill = await find(name);
      return skill === undefined ? own.expand(name, typed) : send(skill, typed);
    },
    async expandLine(line) {
      const [, name = "", typed = ""] = /^\/([\w-]+)(?:\s+([\s\S]*))?$/.exec(line.trim()) ?? [];
      const skill = name === "" ? undefined : await find(name);
      return skill === undefined ? own.expandLine(line) : send(skill, typed);
    },
  };
}

const maxAboutChars = 100;

function shortened(text: string): string {
  return text.length <= maxAboutChars ? text : `${text.slice(0, maxAboutChars - 1).toWellFormed()}…`;
}

/** Writes the list of skills: for the description of `read_skill`, for the model that asks, and for the person. */
import type { SkillSummary } from "@localharness/protocol";
import type { Skill } from "./load-skills.ts";

/** The number of characters that the list may take in a prompt. */
export const maxListChars = 6_000;
const maxAboutChars = 400;
const minAboutChars = 60;

/**
 * Returns one line for each skill that the model may use, of at most `maxChars` characters together. Long descriptions are cut, and
 * a last line counts the skills for which there is no room.
 */
export function listForPrompt(skills: readonly Skill[], maxChars: number): string {
  const usable = skills.filter(({ forModel }) => forModel);
  const names = usable.reduce((sum, { name }) => sum + name.length + 5, 0);
  const share = Math.floor((maxChars - names) / Math.max(1, usable.length));
  const most = Math.max(minAboutChars, Math.min(maxAboutChars, share));
  const lines: string[] = [];
  let used = 0;
  for (const { name, description } of usable) {
    const about =
      description.length <= most ? description : `${description.slice(0, most - 1).toWellFormed()}…`;
    const line = `- ${name}: ${about}`;
    if (used + line.length + 1 > maxChars) break;
    used += line.length + 1;
    lines.push(line);
  }
  const left = usable.length - lines.length;
  return left === 0
    ? lines.join("\n")
    : [...lines, `- ${left} more: a call without "skill" lists all`].join("\n");
}

/** Returns one line for each skill that the model may use, with whole descriptions. */
export function listForModel(skills: readonly Skill[]): string {
  const usable = skills.filter(({ forModel }) => forModel);
  return usable.map(({ name, description }) => `${name}: ${description}`).join("\n");
}

/** Returns the skills for the person. */
export function summarizeSkills(skills: readonly Skill[]): readonly SkillSummary[] {
  return skills.map(({ name, description, origin, folder, forModel, forPerson, ignored }) => ({
    ...{ name, description, origin, folder },
    remarks: [
      ...(ignored.length === 0 ? [] : [`ignored, because a skill grants nothing: ${ignored.join(", ")}`]),
      ...(forModel ? [] : ["only you can name it"]),
      ...(forPerson ? [] : ["no slash command"]),
    ],
  }));
}

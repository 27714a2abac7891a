/** `/skills`: shows the skills that can be used here. */
import { commandFacts, type Host, type SkillList } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { screenLine } from "../plain-text.ts";

const empty =
  "there are no skills: a folder with a SKILL.md in ~/.config/localharness/skills, or in .agents/skills of a trusted folder, is one";

export const skills: SlashCommand = {
  ...commandFacts.skills,
  async run(app) {
    const lines = await skillLines(app.host);
    app.say(lines.map(screenLine).join("\n"));
  },
};

/** Returns the lines that answer `/skills`. The caller must clean them. */
export async function skillLines(host: Pick<Host, "listSkills">): Promise<readonly string[]> {
  return skillRows(await host.listSkills());
}

/** Returns the skills as lines. The caller must clean them. */
export function skillRows({ skills: all, problems }: SkillList): readonly string[] {
  return [
    ...(all.length === 0 ? [empty] : []),
    ...all.map(
      ({ name, description, folder, remarks }) =>
        `/${name}  ${description}  (${[folder, ...remarks].join("; ")})`,
    ),
    ...problems.map((problem) => `! ${problem}`),
  ];
}

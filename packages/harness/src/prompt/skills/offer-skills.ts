/** Adds the tool `read_skill` to the tools of a run that has skills. Called once it is known whether the folder is trusted. */
import { shareChars } from "@localharness/context";
import { readSkill, type SkillShelf } from "@localharness/tools";
import { skillTool, wantsLate } from "../../compose/late-tools.ts";
import type { Trust } from "../../permission/trust/settle-trust.ts";
import { type AgentRun, registerLate } from "../agents/offer-once.ts";
import { listForModel, listForPrompt, maxListChars } from "./list-skills.ts";
import { loadSkills } from "./load-skills.ts";
import { readSkillText } from "./read-skill-text.ts";

/** The share of the context window that the list of skills may take, in percent. */
const listShare = 5;

/**
 * Adds the tool, unless it was already added, the choice of tools leaves it out, or the model may use no skill. Resolves to
 * warnings about skills that are not used.
 */
export async function offerSkillsOnce(trust: Trust, run: AgentRun): Promise<readonly string[]> {
  const { bench, settings, choice } = run;
  const isThere = bench.allTools.list().some(({ name }) => name === skillTool);
  if (isThere || wantsLate(skillTool, choice) === "no") return [];
  const workspace = trust === "full" ? bench.files : undefined;
  const load = () => loadSkills(settings.folder, workspace);
  const { skills, warnings } = await load();
  const maxChars = Math.min(maxListChars, shareChars(run.selected().contextWindow, listShare));
  const listed = listForPrompt(skills, maxChars);
  if (listed === "") return warnings;
  const shelf: SkillShelf = {
    list: async () => listForModel((await load()).skills),
    async find(name) {
      const skill = (await load()).skills.find((one) => one.name === name && one.forModel);
      if (skill === undefined) return undefined;
      const folder = skill.origin === "project" ? skill.folder : undefined;
      return { folder, read: (file) => readSkillText(skill, file) };
    },
  };
  registerLate(run, readSkill({ workspace: bench.files, shelf, listed, cut: bench.cutResult }));
  return warnings;
}

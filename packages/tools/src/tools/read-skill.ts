/** `read_skill`: returns the text of a skill, or of a file beside it. */
import {
  type CallFacts,
  defineTool,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { examinePaths } from "@localharness/workspace/examine/examine-paths";
import { secretConcern } from "@localharness/workspace/examine/secret-concerns";
import type { Outcome } from "@localharness/workspace/outcome";
import { secretName } from "@localharness/workspace/paths/secret-name";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { textArgument } from "../parts/arguments.ts";

/** The skills of a session, as the tool needs them. */
export interface SkillShelf {
  /** Returns one line for each skill. */
  list(): Promise<string>;
  /** Returns a place by the name of a skill; undefined if the model may not use such a skill. */
  find(name: string): Promise<SkillOnShelf | undefined>;
}

export interface SkillOnShelf {
  /** The folder as a path in the workspace; undefined for a skill of the person, which is outside. */
  readonly folder: string | undefined;
  /** Returns the text of a file of the skill. */
  read(file: string): Promise<Outcome<string>>;
}

export interface ReadSkillOptions {
  readonly workspace: Workspace;
  readonly shelf: SkillShelf;
  /** The list of skills in the tool's description. */
  readonly listed: string;
  /** Returns the text, cut to the maximum length of a result. */
  cut(text: string): string;
}

const main = "SKILL.md";

export function readSkill({ workspace, shelf, listed, cut }: ReadSkillOptions): Tool {
  return defineTool({
    name: "read_skill",
    description: `Reads a skill: how a kind of task is done here. When a task fits one, or the person names one, read it first and follow it. A skill grants no permission. Skills:\n${listed}`,
    aliases: ["skill", "use_skill", "load_skill", "activate_skill", "get_skill", "invoke_skill"],
    parameters: {
      type: "object",
      properties: {
        skill: { type: "string" },
        file: { type: "string", description: `a file beside ${main} that it names` },
      },
    },
    parameterAliases: {
      skill: ["name", "skill_name", "command", "id"],
      file: ["path", "file_path", "filename", "resource"],
    },
    foreign: true,
    risk: "medium",
    readOnly: true,
    examine: (args) => examineSkill(workspace, shelf, args),
    execute: (args, context) => read(shelf, args, context, cut),
  });
}

/**
 * Returns the facts about a call. A file of a skill is an instruction that the person trusts, so that it is shown unasked
 * although its folder has a protected name; a file that usually holds secrets is asked about, also beside a skill of the person.
 */
async function examineSkill(workspace: Workspace, shelf: SkillShelf, args: JsonObject): Promise<CallFacts> {
  const name = textArgument(args, "skill") ?? "";
  const skill = name === "" ? undefined : await shelf.find(name);
  const file = textArgument(args, "file") ?? main;
  if (skill?.folder === undefined) {
    const secret = skill === undefined ? undefined : secretName(file);
    if (secret === undefined) return { risk: "safe", looks: true, paths: [] };
    return { paths: [], concerns: [secretConcern(file, secret)] };
  }
  const path = `${skill.folder}/${file}`;
  const facts = examinePaths(workspace, [{ path, access: "read" }]);
  return (facts.concerns ?? []).length === 0 ? { ...facts, looks: true } : facts;
}

async function read(
  shelf: SkillShelf,
  args: JsonObject,
  { denies }: ToolContext,
  cut: ReadSkillOptions["cut"],
): Promise<ToolOutput> {
  const name = textArgument(args, "skill") ?? "";
  if (name === "") return { ok: true, data: cut(await shelf.list()) };
  const skill = await shelf.find(name);
  if (skill === undefined) {
    const message = `there is no skill "${name}". The skills are:\n${cut(await shelf.list())}`;
    return { ok: false, errorType: "not_found", message };
  }
  const file = textArgument(args, "file") ?? main;
  if (skill.folder !== undefined && denies?.(`${skill.folder}/${file}`, "read") === true) {
    return { ok: false, errorType: "permission_denied", message: `a rule denies "${skill.folder}/${file}"` };
  }
  const text = await skill.read(file);
  if (!text.ok) return text;
  const notes = skill.folder === undefined || file !== main ? [] : [`its files are in ${skill.folder}/`];
  return { ok: true, data: cut(text.value), notes };
}

/** Finds the skills of the person and of a trusted project: folders that have a file SKILL.md. */

import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { countText } from "@localharness/protocol";
import type { Outcome } from "@localharness/workspace/outcome";
import type { OpenFile } from "@localharness/workspace/paths/handles";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { readSkillFacts, type SkillFacts } from "./skill-file.ts";

export interface Skill extends SkillFacts {
  readonly origin: "user" | "project";
  /** The folder: an absolute path, or for a project a path in the workspace. */
  readonly folder: string;
  /** Opens a file of the skill. Fails for a file that is, or by a link leads, outside of the skill's folder. */
  open(file: string): Promise<Outcome<OpenFile>>;
}

export interface LoadedSkills {
  /** The skills, with unique names: those of the project, then those of the person. */
  readonly skills: readonly Skill[];
  /** Messages for the person about files that are not used. */
  readonly warnings: readonly string[];
}

export const skillFile = "SKILL.md";

/** The folders of a project that hold skills, in the order in which a name is taken. */
export const projectFolders: readonly string[] = [".localharness/skills", ".agents/skills", ".claude/skills"];

const maxSkills = 500;
/** The number of bytes in which the front matter must end. */
const maxHeadBytes = 16 * 1024;

/**
 * Loads the skills in `skills` of the configuration folder, and in `projectFolders` of the workspace. Pass `workspace` only if
 * it is trusted. A skill of the person takes precedence over one of the project. Never rejects.
 */
export async function loadSkills(
  folder: string | undefined,
  workspace: Workspace | undefined,
): Promise<LoadedSkills> {
  const warnings: string[] = [];
  const found = [
    ...(folder === undefined ? [] : await foldersOfPerson(join(folder, "skills"), warnings)),
    ...(workspace === undefined ? [] : await foldersOfProject(workspace, warnings)),
  ];
  const skills = new Map<string, Skill>();
  const seen = new Set<string>();
  for (const place of found) {
    // One folder often has two names, because tools link the folders of other tools to theirs.
    if (seen.has(place.identity)) continue;
    seen.add(place.identity);
    const read = await readSkill(place);
    if (read === undefined) continue;
    const taken = typeof read === "string" ? undefined : skills.get(read.name);
    if (typeof read !== "string" && taken === undefined) skills.set(read.name, read);
    else warnings.push(`the skill in ${place.folder} is not used: ${refusal(read, taken)}`);
  }
  const all = [...skills.values()];
  const of = (origin: Skill["origin"]) => all.filter((skill) => skill.origin === origin);
  return { skills: [...of("project"), ...of("user")], warnings };
}

function refusal(read: Skill | string, taken: Skill | undefined): string {
  if (typeof read === "string") return read;
  return `there is a skill named "${read.name}" already, in ${taken?.folder}`;
}

interface SkillPlace extends Pick<Skill, "origin" | "folder" | "open"> {
  /** The last name of the folder. */
  readonly name: string;
  /** A text that is equal for two names of the same folder. */
  readonly identity: string;
}

/** Returns the skill; an error message for an invalid one; undefined for a folder without a SKILL.md. */
async function readSkill(place: SkillPlace): Promise<Skill | string | undefined> {
  const opened = await place.open(skillFile);
  if (!opened.ok) return opened.errorType === "not_found" ? undefined : opened.message;
  using file = opened.value;
  try {
    const facts = readSkillFacts((await file.read(maxHeadBytes)).toString("utf8"), place.name);
    if (typeof facts === "string") return facts;
    return { ...facts, origin: place.origin, folder: place.folder, open: place.open };
  } catch (error) {
    return String(error);
  }
}

async function foldersOfPerson(folder: string, warnings: string[]): Promise<readonly SkillPlace[]> {
  const names = fitting(await readdir(folder).catch((): string[] => []), folder, warnings);
  const places = names.map(async (name): Promise<SkillPlace | undefined> => {
    const path = join(folder, name);
    const real = await realpath(path).catch(() => undefined);
    if (real === undefined) return undefined;
    const open = async (file: string): Promise<Outcome<OpenFile>> => {
      const inside = await openWorkspace(real).catch(() => undefined);
      if (inside === undefined) return { ok: false, errorType: "not_found", message: `${path} is no folder` };
      try {
        return inside.openFile(file);
      } finally {
        inside.close();
      }
    };
    return { origin: "user", name, folder: path, identity: real, open };
  });
  return (await Promise.all(places)).filter((place) => place !== undefined);
}

async function foldersOfProject(workspace: Workspace, warnings: string[]): Promise<readonly SkillPlace[]> {
  const places: SkillPlace[] = [];
  for (const top of projectFolders) {
    const opened = workspace.openDirectory(top);
    if (!opened.ok) continue;
    using directory = opened.value;
    for (const name of fitting(await readdir(directory.base).catch((): string[] => []), top, warnings)) {
      const folder = `${top}/${name}`;
      const place = workspace.locate(folder);
      if (!place.ok || place.value.stats?.isDirectory() !== true) continue;
      const real = place.value.path;
      const open = async (file: string): Promise<Outcome<OpenFile>> => openInside(workspace, real, file);
      places.push({ origin: "project", name, folder: real, identity: `${workspace.root}/${real}`, open });
    }
  }
  return places;
}

function openInside(workspace: Workspace, folder: string, file: string): Outcome<OpenFile> {
  const opened = workspace.openFile(`${folder}/${file}`);
  if (!opened.ok || opened.value.path.startsWith(`${folder}/`)) return opened;
  opened.value[Symbol.dispose]();
  const message = `"${file}" leads out of the folder of the skill, ${folder}. Name a file in it.`;
  return { ok: false, errorType: "validation_failed", message };
}

/** Returns the names of possible skills in order, at most `maxSkills`. */
function fitting(names: readonly string[], folder: string, warnings: string[]): readonly string[] {
  const all = names.filter((name) => !name.startsWith(".")).toSorted();
  if (all.length > maxSkills) {
    warnings.push(
      `${folder} has ${countText(all.length, "entry", "entries")}: only the first ${maxSkills} are read as skills`,
    );
  }
  return all.slice(0, maxSkills);
}

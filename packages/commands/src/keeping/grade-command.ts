/** Grades a command by what undo would reverse of its changes. */
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type CallFacts, type CommandFacts, isOutside } from "@localharness/engine";
import type { PermissionGrade } from "@localharness/protocol";
import { isFilledByPrograms } from "@localharness/workspace/snapshots/folder-tree";
import { isKnown, runsInput } from "../shell/executed-files.ts";
import { looksOnly } from "../shell/looks-only.ts";
import type { Words } from "../shell/programs/program.ts";
import { programOf } from "../shell/programs/table.ts";

export interface CommandPlace {
  /** The real path of the workspace. */
  readonly root: string;
  /** True if a sandbox confines the command. */
  readonly confined: boolean;
  /** True if the files of the workspace are kept before the command. */
  readonly keeping: boolean;
}

/**
 * Returns the facts with a grade, unless they have one: `undoable` if every file that the command changes is known and kept,
 * `kept` if it changes only the workspace, in which not every file may be kept. Returns other facts as they are.
 */
export function withGrade(facts: CallFacts, place: CommandPlace): CallFacts {
  if (facts.grade !== undefined || facts.readOnly === true || !place.keeping) return facts;
  const grade = gradeOfKept(facts, place);
  return grade === undefined ? facts : { ...facts, grade };
}

function gradeOfKept(
  { command, paths, offers }: CallFacts,
  { root, confined }: CommandPlace,
): PermissionGrade | undefined {
  if (command === undefined || paths === undefined) return undefined;
  const { kept, calls = [], hidden = [], leaves, destroys } = command;
  const isLost = destroys !== undefined && kept === undefined;
  if (isLost || leaves !== undefined || offers !== undefined) return undefined;
  const touched = paths.filter(({ access }) => access === "write");
  if (touched.some((one) => isOutside(one) || one.path.split("/").some(isFilledByPrograms))) return undefined;
  const written = touched.map(({ path }) => path);
  const all = [...calls, ...hidden];
  // What git changes in its own folder is not kept.
  const byGit = all.some(([name = ""]) => programOf(name).reaches !== undefined);
  if (byGit && kept === undefined) return undefined;
  const makesNoFolder = all.every((words) => looksOnly(words) !== undefined || isEditor(words));
  // The script of an editor may look like a path.
  const isScript = (path: string) => makesNoFolder && !existsSync(dirname(resolve(root, path)));
  const isKept = (path: string) =>
    kept?.some((one) => one.path === path || (one.below === true && path.startsWith(`${one.path}/`))) ===
    true;
  const isWhole = isComplete(command) && all.every(isPlain);
  if (kept !== undefined && isWhole && written.every((path) => isKept(path) || isScript(path))) {
    return "undoable";
  }
  return confined || isWhole ? "kept" : undefined;
}

/** Returns true if the calls and the paths of the command are all that it starts and writes. */
function isComplete({ unclear, known, touchesMore }: CommandFacts): boolean {
  return touchesMore === undefined && (unclear === undefined || known === "calls and paths");
}

function isEditor([name = ""]: Words): boolean {
  return programOf(name).interprets === "letters";
}

/** Returns true for a call that only looks, or whose words name all that it writes, and that runs no file and no text. */
function isPlain(words: Words): boolean {
  const [name = "", ...args] = words;
  const { builtin, changesFolder, writes, interprets, runs, files, starts, speaks } = programOf(name);
  if (looksOnly(words) !== undefined || (builtin !== undefined && changesFolder !== undefined)) return true;
  if (writes === undefined || !isKnown(name) || runsInput(words)) return false;
  const runsText = (interprets !== undefined && !isEditor(words)) || starts !== undefined || speaks === true;
  return !runsText && files === undefined && (runs?.(args) ?? []).length === 0;
}

/** Examines `cd FOLDER && ...` and `git -C FOLDER ...` without these words, as a command that runs in FOLDER. */
import { existsSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import type { CallFacts } from "@localharness/engine";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { withoutPatterns } from "../shell/expand-patterns.ts";
import type { Grammar } from "../shell/grammar.ts";
import { readPlain } from "../shell/plain-reader.ts";
import type { Words } from "../shell/programs/program.ts";
import { type ExaminedCommand, examineCommand } from "./examine-command.ts";

export async function examineThere(
  workspace: Workspace,
  command: ExaminedCommand,
  grammar: Grammar,
): Promise<CallFacts> {
  const there = commandThere(workspace, command);
  if (there === undefined) return await examineCommand(workspace, command, grammar);
  const { call, ...moved } = there;
  const facts = await examineThere(workspace, { ...command, ...moved }, grammar);
  const { hidden = [], ...rest } = facts.command ?? {};
  return { ...facts, command: { ...rest, text: command.text, hidden: [...hidden, call] } };
}

const literal = String.raw`(/?[\w.@+][\w\-.@+/]*)`;
const changesFolder = new RegExp(String.raw`^( *)cd +${literal} +&& *(?=\S)`);
const gitFolder = new RegExp(String.raw`^( *git +)-C +${literal} +(?=\S)`);

/** Returns the rest of the command, its folder, and the call that names the folder; undefined without a certain folder. */
function commandThere(workspace: Workspace, { text, folder }: ExaminedCommand) {
  const isGit = gitFolder.test(text);
  const [start = "", kept = "", word = ""] = (isGit ? gitFolder : changesFolder).exec(text) ?? [];
  const plain = start === "" ? undefined : readPlain(withoutPatterns(text));
  if (plain?.ok !== true) return undefined;
  const [first, ...others] = plain.calls;
  // After `;` or `||`, a call also runs if `cd` fails, and then in the folder in which the command starts.
  const runsThere = isGit ? others.length === 0 : others.every(({ after }) => /^(?:|&&|\|)$/.test(after));
  const at = normalize(isAbsolute(word) ? word : join(folder, word)).replace(/(?<=.)\/$/, "");
  if (first === undefined || !runsThere || !isPlainFolder(workspace, at, word)) return undefined;
  const call: Words = first.words;
  return { call, folder: at, text: `${kept}${text.slice(start.length)}` };
}

/** Returns true for a folder whose path has no link and no `..`, and leads into no other repository than that of the top folder. */
function isPlainFolder(workspace: Workspace, path: string, word: string): boolean {
  if (word.split("/").includes("..") || path.split("/").includes(".git")) return false;
  const place = workspace.locate(path);
  if (!place.ok || place.value.path !== path || place.value.stats?.isDirectory() !== true) return false;
  const { root, path: inside } = workspace.placeOf(path);
  const names = inside === "." ? [] : inside.split("/");
  return names.every((_, index) => !existsSync(join(root, ...names.slice(0, index + 1), ".git")));
}

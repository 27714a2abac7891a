/** Examines `cd FOLDER && ...` and `git -C FOLDER ...` without these words, as a command that runs in FOLDER. */
import { existsSync } from "node:fs";
import { isAbsolute, join, normalize } from "node:path";
import type { CallFacts } from "@localharness/engine";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { CommandReader } from "../shell/reader.ts";
import { type ExaminedCommand, examineCommand } from "./examine-command.ts";

export async function examineThere(
  workspace: Workspace,
  command: ExaminedCommand,
  reader: CommandReader,
): Promise<CallFacts> {
  const { reading, folder } = command;
  const there = reading.there();
  if (there === undefined) return await examineCommand(workspace, command, reader);
  const named = isAbsolute(there.folder) ? there.folder : join(folder, there.folder);
  const at = normalize(named).replace(/(?<=.)\/$/, "");
  if (!isPlainFolder(workspace, at, there.folder)) return await examineCommand(workspace, command, reader);
  const facts = await examineThere(workspace, { ...command, reading: there.rest, folder: at }, reader);
  const { hidden = [], ...rest } = facts.command ?? {};
  return { ...facts, command: { ...rest, text: reading.text, hidden: [...hidden, there.call] } };
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

/** Finds the places of what a command may lose, where its words do not name them: by git, or in a patch. */
import { join, normalize } from "node:path";
import { statsAt } from "@localharness/workspace/paths/stats-at";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { contentOf, pathIn } from "../answers/file-marks.ts";
import { looksOnly } from "../shell/looks-only.ts";
import { namesInPatch } from "../shell/losing/patch-names.ts";
import type { PatchSource, Words } from "../shell/programs/program.ts";
import type { ReplacedPath } from "../shell/touched-paths.ts";
import type { Loss } from "./losses.ts";

export interface LosingCommand {
  readonly text: string;
  /** All calls of the command, also those that other calls start. */
  readonly calls: readonly Words[];
  /** The folders in which the calls may run, relative to the workspace. */
  readonly folders: readonly string[];
  /** The files that redirections write, and the words that variables get. */
  readonly writesTo: Words;
  readonly values: Words;
  /** The files and the texts that the command gives to its programs as input. */
  readonly readsFrom: Words;
  readonly inputs: Words;
  /** Resolves to the names that git lists at the root of the workspace; undefined if git cannot list them. */
  listByGit?(words: Words): Promise<readonly string[] | undefined>;
}

/** Resolves to the losses, with the places of those that can be found. */
export async function findPlaces(
  workspace: Workspace,
  losses: readonly Loss[],
  command: LosingCommand,
): Promise<readonly Loss[]> {
  return await Promise.all(
    losses.map(async (loss) => {
      if (loss.unnamed === undefined) return loss;
      // A variable such as `TAR_OPTIONS` may mean other folders than the words.
      if (loss.unnamed.where.by === "words") {
        return command.values.length === 0 ? loss : { ...loss, places: undefined };
      }
      const places = await placesOf(workspace, loss.unnamed, command);
      return places === undefined ? loss : { ...loss, places };
    }),
  );
}

async function placesOf(
  workspace: Workspace,
  { call, where }: NonNullable<Loss["unnamed"]>,
  command: LosingCommand,
): Promise<readonly ReplacedPath[] | undefined> {
  const [folder, ...more] = command.folders;
  // Something else could change the files, the patch, or what git ignores, before this call runs.
  const isAlone =
    command.writesTo.length + command.values.length === 0 &&
    command.calls.every((one) => one === call || looksOnly(one) !== undefined);
  if (!isAlone || folder === undefined || more.length > 0) return undefined;
  if (where.by === "patches") return await placesInPatch(workspace, folder, where.source, command);
  if (folder !== "." || isInParts(workspace)) return undefined;
  const { words } = where;
  const listed = await command.listByGit?.(words);
  const isFile = (path: string) => statsAt(join(workspace.root, path))?.isFile() === true;
  // Git lists no file of which it was told not to look for changes, but may overwrite it.
  const named = words.slice(words.indexOf("--") + 1).filter(isFile);
  return listed && placesAt(workspace, ".", [...listed, ...named]);
}

/** Returns true for a repository with submodules, whose files git does not list. */
function isInParts({ root }: Workspace): boolean {
  return statsAt(join(root, ".gitmodules")) !== undefined;
}

async function placesInPatch(
  workspace: Workspace,
  folder: string,
  source: PatchSource,
  command: LosingCommand,
): Promise<readonly ReplacedPath[] | undefined> {
  const texts =
    source === "input"
      ? await inputsOf(workspace, folder, command)
      : await contents(workspace, folder, source.files);
  const names = texts?.map(namesInPatch);
  if (names === undefined || names.includes(undefined)) return undefined;
  const places = placesAt(
    workspace,
    folder,
    names.flatMap((some) => some ?? []),
  );
  // `patch` follows a link on the way, to a file that may not be kept.
  const isLink = ({ path }: ReplacedPath) => statsAt(join(workspace.root, path))?.isSymbolicLink() === true;
  return places?.some(isLink) === true ? undefined : places;
}

/** Resolves to the only input of the command: a file or a here-document in which the shell replaces nothing. */
async function inputsOf(
  workspace: Workspace,
  folder: string,
  { text, calls, readsFrom, inputs }: LosingCommand,
): Promise<Words | undefined> {
  if (calls.length !== 1 || readsFrom.length + inputs.length !== 1) return undefined;
  if (readsFrom.length === 1) return await contents(workspace, folder, readsFrom);
  // The first `<` of the command begins its only here-document; a later one may be in the text.
  const isLiteral = /^[^<]*<<-?[ \t]*(?:'\w+'|"\w+"|\\\w+)/.test(text) || !/[$`\\]/.test(inputs[0] ?? "");
  return isLiteral ? inputs : undefined;
}

async function contents(workspace: Workspace, folder: string, files: Words): Promise<Words | undefined> {
  const read = await Promise.all(files.map((name) => contentOf(workspace, pathIn(folder, name))));
  const texts = read.flatMap((content) => (Buffer.isBuffer(content) ? [content.toString()] : []));
  return texts.length === files.length && !files.some((name) => /[$`*?[{~]/.test(name)) ? texts : undefined;
}

/** Returns the paths at which something is, relative to the workspace; undefined if one of them is outside, or no valid UTF-8. */
function placesAt(
  { root }: Workspace,
  folder: string,
  names: readonly string[],
): readonly ReplacedPath[] | undefined {
  const places = new Map<string, ReplacedPath>();
  for (const name of names) {
    const path = normalize(join(folder, name)).replace(/(?<=.)\/$/, "");
    const isBeyond = path === ".." || path.startsWith("../") || path.startsWith("/");
    if (isBeyond || name.includes("\uFFFD")) return undefined;
    const there = firstThere(root, path);
    if (there !== undefined) places.set(there, { path: there, below: true });
  }
  return [...places.values()];
}

/** Returns the path if something is there, or the file on its way, which would give way to a folder; undefined if nothing is. */
function firstThere(root: string, path: string): string | undefined {
  const parts = path.split("/");
  for (let count = 1; count <= parts.length; count += 1) {
    const at = parts.slice(0, count).join("/");
    const stats = statsAt(join(root, at));
    if (stats === undefined) return undefined;
    if (count === parts.length || !stats.isDirectory()) return at;
  }
  return undefined;
}

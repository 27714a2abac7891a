/** Finds the secrets whose lines a search of whole folders may print. */
import { secretBelow } from "@localharness/workspace/files/secret-below";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { locateWord } from "./locate.ts";
import type { Searches, Words } from "./programs/program.ts";
import { knownProgram } from "./programs/table.ts";

/** Returns the path of one secret for each searched folder that has any. The calls may run in each of `folders`. */
export function searchedSecrets(
  workspace: Workspace,
  calls: readonly Words[],
  folders: readonly string[],
): readonly string[] {
  const isFed = calls.some(([name = ""]) => knownProgram(name)?.feeds !== undefined);
  const found = calls.flatMap(([name = "", ...args]) => {
    const searches = knownProgram(name)?.searches;
    if (searches === undefined || !printsFolders(searches, args, isFed)) return [];
    const hidden = searches.hidden === undefined || args.some((word) => searches.hidden?.test(word));
    const endings = endingsOf(args);
    const isShown = (path: string) =>
      (hidden || !/(?:^|\/)\./.test(path)) &&
      (endings === undefined || endings.some((one) => path.endsWith(one)));
    return searchedFolders(workspace, args, folders).flatMap(
      (folder) => secretBelow(workspace, folder, isShown) ?? [],
    );
  });
  return [...new Set(found)];
}

/** Returns true if the call prints lines of all files of a folder. `isFed` is true if another program adds names of files to it. */
function printsFolders({ folders, namesOnly }: Searches, args: Words, isFed: boolean): boolean {
  const hasMany = isFed || args.some((word) => word.includes("{}")) || folders.test(args.join(" "));
  return hasMany && !args.some((word) => namesOnly.test(word));
}

/** Returns the folders among the words; the folders in which the call may run if no word names a file or a folder. */
function searchedFolders(workspace: Workspace, args: Words, folders: readonly string[]): readonly string[] {
  const named = args.filter((word) => !word.startsWith("-"));
  const places = folders.flatMap((folder) => named.map((word) => locateWord(workspace, folder, word)));
  const known = places.filter(({ kind }) => kind === "folder" || kind === "file");
  if (known.length === 0) return folders;
  return known.filter(({ kind }) => kind === "folder").map(({ path }) => path);
}

/** Returns the endings that the options allow, such as `.ts` of `--include=*.ts`; undefined if they allow other names too. */
function endingsOf(args: Words): readonly string[] | undefined {
  const globs = args.flatMap((word) => /^--include=(.*)$/s.exec(word)?.[1] ?? []);
  const endings = globs.flatMap((glob) => /^\*(\.\w+)$/.exec(glob)?.[1] ?? []);
  return globs.length > 0 && endings.length === globs.length ? endings : undefined;
}

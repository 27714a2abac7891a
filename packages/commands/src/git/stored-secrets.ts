/** Finds the files of secrets that git would take into a repository. */
import type { Concern } from "@localharness/engine";
import { storedSecretConcern } from "@localharness/workspace/examine/secret-concerns";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { type GitCall, readGitCall } from "../shell/git-call.ts";
import type { Words } from "../shell/programs/program.ts";
import { programOf } from "../shell/programs/table.ts";

/** Returns a concern for each kind of secret among the paths. */
export function storedSecrets(paths: readonly string[]): readonly Concern[] {
  const concerns = new Map<string, Concern>();
  for (const path of paths) {
    const name = secretName(path);
    if (name !== undefined) concerns.set(name, storedSecretConcern(path, name));
  }
  return [...concerns.values()];
}

/**
 * Lists the files that a call of git stores; resolves to undefined for a call that stores none. `folders` are the folders in
 * which the call may run, relative to the workspace; undefined if they are unknown.
 */
export type StoredBy = (
  words: Words,
  folders: readonly string[] | undefined,
) => Promise<readonly string[] | undefined>;

/** Resolves to the concerns about the files that the calls store. */
export async function storedByCalls(
  calls: readonly Words[],
  folders: readonly string[] | undefined,
  storedBy: StoredBy | undefined,
): Promise<readonly Concern[]> {
  if (storedBy === undefined) return [];
  const paths: string[] = [];
  const isForeach = ({ command, args }: GitCall) => command === "submodule" && args.includes("foreach");
  const gitCalls = calls
    .filter(([name = ""]) => programOf(name).reaches !== undefined)
    .map((words) => readGitCall(words.slice(1)));
  const known = gitCalls.some(isForeach) ? undefined : folders;
  for (const call of gitCalls) {
    paths.push(...((await storedBy(call.args, call.named ? undefined : known)) ?? []));
  }
  return storedSecrets(paths);
}

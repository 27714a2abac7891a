/** Finds the files of secrets that git would take into a repository. */
import type { Concern } from "@localharness/engine";
import { storedSecretConcern } from "../workspace/examine-paths.ts";
import { secretName } from "../workspace/secret-name.ts";
import { readGitCall } from "./git-call.ts";
import type { Words } from "./programs/program.ts";
import { programOf } from "./programs/table.ts";

/** Returns a concern for each kind of secret among the paths. */
export function storedSecrets(paths: readonly string[]): readonly Concern[] {
  const concerns = new Map<string, Concern>();
  for (const path of paths) {
    const name = secretName(path);
    if (name !== undefined) concerns.set(name, storedSecretConcern(path, name));
  }
  return [...concerns.values()];
}

/** Resolves to the concerns about the files that the calls store. `storedBy` lists the files of a call of git. */
export async function storedByCalls(
  calls: readonly Words[],
  storedBy: ((words: Words) => Promise<readonly string[] | undefined>) | undefined,
): Promise<readonly Concern[]> {
  if (storedBy === undefined) return [];
  const paths: string[] = [];
  for (const [name = "", ...args] of calls) {
    if (programOf(name).reaches === undefined) continue;
    paths.push(...((await storedBy(readGitCall(args).args)) ?? []));
  }
  return storedSecrets(paths);
}

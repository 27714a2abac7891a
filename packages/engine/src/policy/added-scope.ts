/** Limits answers to the folders for which they were given. */
import type { CallFacts } from "./facts.ts";

/** Returns the folders that the person added and that the call touches, in order. */
export function addedRoots({ paths = [] }: CallFacts): readonly string[] {
  return [...new Set(paths.flatMap(({ added }) => (added === undefined ? [] : [added.root])))].sort();
}

/**
 * Returns the scope of an answer to a call whose answer would otherwise cover every call of its tool; empty if the call touches no
 * added folder. An answer about the workspace covers no added folder.
 */
export function addedScope(facts: CallFacts): string {
  const folders = addedRoots(facts);
  return folders.length === 0 ? "" : JSON.stringify({ folders });
}

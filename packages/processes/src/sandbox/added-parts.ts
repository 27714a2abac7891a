/** Keeps what the sandbox knows of the folders that the person added to the workspace. */
import type { ClosedPlaces } from "@localharness/engine";
import { type ClosedHistory, createClosedHistory } from "./closed-history.ts";
import { doAll } from "./move-aside.ts";
import { type NestedNames, nestedNames } from "./nested-names.ts";
import type { SandboxRules } from "./sandbox.ts";
import { addedNow } from "./sandbox-profile.ts";
import { createStagedRepositories, type StagedRepositories } from "./staged-repositories.ts";

export interface AddedParts {
  /** Returns the closed names in subfolders, by the roots of the folders. Each folder is searched once. */
  nested(): ReadonlyMap<string, readonly string[]>;
  /** Returns the reason why a command may write protected names in subfolders; undefined if all of them are closed. */
  incomplete(): string | undefined;
  /** Returns the absolute paths of the folders of objects to close; see `ClosedHistory`. */
  closedHistory(places: ClosedPlaces | undefined): readonly string[];
  /** Returns an object that watches the repositories that are staged in the workspace, which `own` watches, and in the folders. */
  withStaged(own: StagedRepositories): StagedRepositories;
}

interface Known {
  /** Searches the folder at the first call. */
  nested(): NestedNames;
  readonly history: ClosedHistory;
  readonly staged: StagedRepositories;
}

export function createAddedParts(rules: SandboxRules): AddedParts {
  const known = new Map<string, Known>();
  const folders = () => addedNow(rules).map(({ root }) => ({ root, its: partsOf(known, root) }));
  return {
    nested: () => new Map(folders().map(({ root, its }) => [root, its.nested().names])),
    incomplete: () =>
      folders()
        .map(({ its }) => its.nested().incomplete)
        .find((reason) => reason !== undefined),
    closedHistory: (places) => folders().flatMap(({ its }) => its.history.closedBy(places)),
    withStaged: (own) => ({
      watch: (closed) => {
        const ends = [own, ...folders().map(({ its }) => its.staged)].map((one) => one.watch(closed));
        return () => doAll(ends);
      },
    }),
  };
}

function partsOf(known: Map<string, Known>, root: string): Known {
  const before = known.get(root);
  if (before !== undefined) return before;
  let names: NestedNames | undefined;
  const nested = () => (names ??= nestedNames(root));
  const its: Known = {
    nested,
    history: createClosedHistory(root, { isAdded: true, nested: () => nested().names }),
    staged: createStagedRepositories(root),
  };
  known.set(root, its);
  return its;
}

/** Renames what a sandboxed command has put in the folder of a repository under a name that git does not use for its ordinary work. */
import { readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isFolderAt } from "@localharness/workspace/paths/stats-at";
import { otherParts } from "./closed-names.ts";
import { isHeldSocket } from "./held-sockets.ts";
import { doAll, moveAside, withAccess } from "./move-aside.ts";

export interface WatchedParts {
  /** Call it after the command. Throws the system's first error at the end if something cannot be renamed. */
  done(): void;
}

/** Begins to watch for one command. `closed` has the closed paths of the sandbox, by which the repositories are known. */
export function watchParts(closed: readonly string[]): WatchedParts {
  // Each repository has both names; other folders of hooks have one.
  const folders = closed
    .filter((path) => basename(path) === "commondir" && closed.includes(join(dirname(path), "hooks")))
    .map((path) => dirname(path));
  const before = folders.map((folder) => ({ folder, names: new Set(otherParts(folder)) }));
  return {
    done() {
      doAll(
        before.map(
          ({ folder, names }) =>
            () =>
              settle(folder, names),
        ),
      );
    },
  };
}

function settle(folder: string, names: ReadonlySet<string>): void {
  withAccess(folder, () => {
    // The names of a folder that cannot be listed are not known.
    if (isFolderAt(folder)) readdirSync(folder);
  });
  const made = otherParts(folder)
    .filter((name) => !names.has(name))
    .map((name) => join(folder, name))
    .filter((path) => !isHeldSocket(path));
  doAll(made.map((path) => () => moveAside(path)));
}

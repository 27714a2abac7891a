/** Recognises a command that did not find a file because the sandbox hides the home folder, and says what can be done. */
import { homedir } from "node:os";
import { join } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import type { HomeView } from "../sandbox.ts";

/** Matches the messages about a file that is not there. */
const missing = /no such file or directory|\bENOENT\b|cannot find|not found|does not exist|can't open/i;
/** The maximum number of messages that are searched for paths. */
const maxLines = 200;

/**
 * Returns a note for the model and the person if the output says that a path of a hidden home folder is missing; else undefined. Whether
 * something is there is not said, because the folder is hidden. `workspace` is an absolute path.
 */
export function homeNote(workspace: string, home: HomeView | undefined, output: string): string | undefined {
  if (home === undefined) return undefined;
  const isHidden = (path: string) =>
    [...home.homes, homedir()].some((folder) => pathInside(folder, path)) &&
    ![workspace, ...home.shown.map((one) => one.path)].some(
      (folder) => pathInside(folder, path) !== undefined,
    );
  const path = output
    .split("\n")
    .filter((line) => missing.test(line))
    .slice(0, maxLines)
    .flatMap((line) => line.match(/(?:~|(?<![\w.~-]))\/[^\s'"`‘’“”,;:()]+/g) ?? [])
    .map((word) => (word.startsWith("~/") ? join(homedir(), word.slice(2)) : join(word)))
    .find(isHidden);
  if (path === undefined) return undefined;
  return `the sandbox hides the home folder except for toolchains and caches, so commands do not see ${path}, and no call can change that. Ask the person: the setting sandbox_readable shows more of it, ! before a command runs it outside of the sandbox`;
}

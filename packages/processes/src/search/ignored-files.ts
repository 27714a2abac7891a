/** Tells what a search in a named folder passed over because version control ignores it. */
import type { ToolContext } from "@localharness/engine";
import { holdToExamined } from "@localharness/workspace/changes/hold-to-examined";
import { childPath } from "./child-path.ts";
import type { ListingParts } from "./list-files.ts";
import { runRipgrep, skippedFolders } from "./ripgrep.ts";
import { isThere } from "./verify-matches.ts";

/** The maximum number of files that are counted. */
const maxCounted = 20_000;

export interface IgnoredFiles {
  /** Paths of ignored files, relative to the workspace. */
  readonly paths: readonly string[];
  /** True if every file of the folder is ignored. */
  readonly all: boolean;
}

/** Resolves to the ignored files below a folder that `selection` selects; to none if `path` is no folder or cannot be listed. */
export async function ignoredFiles(
  parts: ListingParts,
  path: string,
  selection: readonly string[],
  context: ToolContext,
): Promise<IgnoredFiles> {
  const searched = await listBelow(parts, path, selection, context);
  const all = await listBelow(parts, path, ["--no-ignore", ...selection], context);
  const seen = new Set(searched);
  return { paths: all.filter((one) => !seen.has(one)), all: searched.length === 0 };
}

async function listBelow(
  parts: ListingParts,
  path: string,
  selection: readonly string[],
  context: ToolContext,
): Promise<readonly string[]> {
  const opened = holdToExamined(parts, context).workspace.openDirectory(path);
  if (!opened.ok) return [];
  using directory = opened.value;
  const prefix = directory.path === "." ? "" : `${directory.path}/`;
  const paths: string[] = [];
  const ended = await runRipgrep(parts.programs, {
    args: ["--files", "--sort=none", ...selection, ...skippedFolders, "--", "./"],
    cwd: childPath(directory.base),
    signal: context.signal,
    isThere: (one) => isThere(parts.workspace, prefix + one),
    onLine: (line) => {
      const one = prefix + line.replace(/^\.\//, "");
      if (context.denies?.(one, "read") !== true) paths.push(one);
      return paths.length < maxCounted;
    },
  });
  return ended.ok ? paths : [];
}

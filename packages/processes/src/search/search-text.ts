/** Searches lines with ripgrep in a folder or a file of the workspace, in every encoding that `read_file` shows. */
import { basename } from "node:path";
import type { ToolContext } from "@localharness/engine";
import { holdToExamined } from "@localharness/workspace/changes/hold-to-examined";
import { found, type Outcome } from "@localharness/workspace/outcome";
import { secretName } from "@localharness/workspace/paths/secret-name";
import { childPath } from "./child-path.ts";
import { asWindows1252, hasForeignBytes, legacyFiles, type SearchedFiles } from "./legacy-files.ts";
import type { ListingParts } from "./list-files.ts";
import { maxShownChars, readMatch, type SearchMatch } from "./match.ts";
import { runRipgrep } from "./ripgrep.ts";
import { isThere, verifyMatches } from "./verify-matches.ts";

export interface Query {
  /** The folder or file to search. */
  readonly path: string;
  /** Ripgrep's arguments that select files. */
  readonly selection: readonly string[];
  /** Ripgrep's arguments for what to find. */
  readonly expression: readonly string[];
  /** True if ripgrep may pass over a line in Windows-1252 that is meant. */
  readonly mayMiss: boolean;
  /** The number of matches after which the search stops. */
  readonly most: number;
}

export interface Matches {
  readonly matches: readonly SearchMatch[];
  readonly complaints: string;
  readonly stopped: boolean;
}

const printing: readonly string[] = [
  "--ignore-case",
  "--line-number",
  "--with-filename",
  "--no-heading",
  "--null",
  `--max-columns=${maxShownChars}`,
  "--max-columns-preview",
];

/** Resolves to the matches, sorted by path: at most one more than `most`. */
export async function searchText(
  resources: ListingParts,
  query: Query,
  context: ToolContext,
): Promise<Outcome<Matches>> {
  const place = searchPlace(holdToExamined(resources, context), query.path);
  if (!place.ok) return place;
  using where = place.value;
  const main = await runSearch(resources, query, context, where, () => true);
  if (!main.ok) return main;
  const legacy =
    query.mayMiss || main.value.matches.some(({ text }) => hasForeignBytes(text))
      ? await legacyFiles(resources.programs, resources.workspace, filesOf(resources, query, context, where))
      : found(new Set<string>());
  if (!legacy.ok) return legacy;
  if (legacy.value.size === 0) return await verified(resources, main.value, legacy.value);
  const isLegacy = (path: string) => legacy.value.has(path);
  // A search that stopped may have found matches in the older files only.
  const newer = main.value.stopped
    ? await runSearch(resources, query, context, where, (path) => !isLegacy(path))
    : found({ ...main.value, matches: main.value.matches.filter(({ path }) => !isLegacy(path)) });
  if (!newer.ok) return newer;
  const again = { ...query, expression: [...asWindows1252, ...query.expression] };
  const older = await runSearch(resources, again, context, where, isLegacy);
  return older.ok ? await verified(resources, joined(newer.value, older.value), legacy.value) : older;
}

async function verified(resources: ListingParts, result: Matches, legacy: ReadonlySet<string>) {
  return found({ ...result, matches: await verifyMatches(resources.workspace, result.matches, legacy) });
}

/** Returns the matches of both searches in the order of their paths. */
function joined(one: Matches, other: Matches): Matches {
  const keys = new Map([...one.matches, ...other.matches].map(({ path }) => [path, path.split("/")]));
  const matches = [...one.matches, ...other.matches].sort((left, right) =>
    compare(keys.get(left.path) ?? [], keys.get(right.path) ?? []),
  );
  return { matches, complaints: one.complaints, stopped: one.stopped || other.stopped };
}

function compare(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((part, index) => part !== other[index]);
  const [left, right] = [one[at], other[at]];
  if (left === undefined || right === undefined) return one.length - other.length;
  return left < right ? -1 : 1;
}

interface SearchPlace {
  readonly cwd: string;
  /** The path to search, relative to `cwd`. */
  readonly target: string;
  /** The path of `cwd` relative to the workspace, with a slash at its end; empty for the workspace. */
  readonly prefix: string;
  /** The file to search; undefined for a folder. */
  readonly file: string | undefined;
  [Symbol.dispose](): void;
}

function filesOf(
  { workspace }: ListingParts,
  { selection }: Query,
  { signal }: ToolContext,
  { cwd, target, prefix }: SearchPlace,
): SearchedFiles {
  return {
    flags: selection,
    cwd,
    target,
    prefix,
    signal,
    isThere: (path) => isThere(workspace, prefix + path),
  };
}

async function runSearch(
  resources: ListingParts,
  query: Query,
  context: ToolContext,
  where: SearchPlace,
  isWanted: (path: string) => boolean,
): Promise<Outcome<Matches>> {
  const matches: SearchMatch[] = [];
  const ended = await runRipgrep(resources.programs, {
    args: [...printing, ...query.selection, ...query.expression, "--", where.target],
    cwd: where.cwd,
    signal: context.signal,
    isThere: (path) => isThere(resources.workspace, where.prefix + path),
    onLine: (line) => {
      const match = readMatch(line, where.prefix);
      if (
        match !== undefined &&
        isWanted(match.path) &&
        !leftOut(resources, match.path, where.file, context)
      ) {
        matches.push(match);
      }
      return matches.length <= query.most;
    },
  });
  if (!ended.ok) return ended;
  const { complaints, stopped } = ended.value;
  return found({ matches, complaints, stopped });
}

/**
 * Returns true for a file whose matches are left out, because a rule denies it or because it usually holds secrets. A file
 * with secrets is not left out if it is `named`, the file that the call asks for, because the person was asked about it.
 */
function leftOut(
  { workspace }: ListingParts,
  path: string,
  named: string | undefined,
  context: ToolContext,
): boolean {
  const isSecret = path !== named && secretName(path, workspace.root) !== undefined;
  return context.denies?.(path, "read") === true || isSecret;
}

/**
 * Returns the folder in which ripgrep runs, and what it searches there. The folder's path leads to the folder that is already
 * open, so that no other folder can take its place.
 */
function searchPlace(resources: ListingParts, path: string): Outcome<SearchPlace> {
  const folder = resources.workspace.openDirectory(path);
  if (folder.ok) {
    const directory = folder.value;
    const cwd = childPath(directory.base);
    const prefix = directory.path === "." ? "" : `${directory.path}/`;
    return found({
      cwd,
      target: "./",
      prefix,
      file: undefined,
      [Symbol.dispose]: () => directory[Symbol.dispose](),
    });
  }
  const file = resources.workspace.openTarget(path, { createFolders: false });
  if (!file.ok || file.value.stats === undefined) {
    return !file.ok && file.errorType === "permission_denied" ? file : folder;
  }
  const entry = file.value;
  const prefix = entry.path.slice(0, entry.path.length - basename(entry.path).length);
  const cwd = childPath(entry.directory.base);
  const target = `./${entry.name}`;
  return found({ cwd, target, prefix, file: entry.path, [Symbol.dispose]: () => entry[Symbol.dispose]() });
}

/**
 * Finds the files that `read_file` shows in Windows-1252. Ripgrep knows UTF-8 and byte order marks only, and finds no accent in
 * other files; these are searched once more, as Windows-1252.
 */
import { found, type Outcome } from "@localharness/workspace/outcome";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { Programs } from "../children/programs.ts";
import { runRipgrep, type SearchRequest } from "./ripgrep.ts";

const next = String.raw`[\x80-\xbf]`;
const end = String.raw`(?:[^\x80-\xbf]|$)`;

/** Expressions for bytes. One of them matches in a line exactly if the line is not valid UTF-8. */
const invalid: readonly string[] = [
  String.raw`[\xc0\xc1\xf5-\xff]`,
  String.raw`(?:^|[\x00-\x7f])${next}`,
  String.raw`[\xc2-\xdf](?:${next}{2}|${end})`,
  String.raw`[\xe0-\xef](?:${next}{3}|${next}{0,1}${end})`,
  String.raw`\xe0[\x80-\x9f]|\xed[\xa0-\xbf]`,
  String.raw`[\xf0-\xf4](?:${next}{4}|${next}{0,2}${end})`,
  String.raw`\xf0[\x80-\x8f]|\xf4[\x90-\xbf]`,
];

/** The arguments with which ripgrep reads every file without a byte order mark as Windows-1252. */
export const asWindows1252: readonly string[] = ["--encoding=windows-1252"];

/**
 * Returns true if ripgrep may pass over a line in Windows-1252 that the pattern means: the pattern has a character beyond ASCII, or
 * matches more than itself.
 */
export function mayMissLegacy(pattern: string, isExpression: boolean): boolean {
  return isExpression || pattern.includes("*") || /[^\0-\x7f]/.test(pattern);
}

/** A line that ripgrep printed of a file that is not in UTF-8 has this character in place of each other byte. */
export function hasForeignBytes(text: string): boolean {
  return text.includes("\ufffd");
}

/** Where and what to search: `flags` select files, `target` is the searched path, `prefix` leads from the workspace to `cwd`. */
export interface SearchedFiles extends Pick<SearchRequest, "cwd" | "signal" | "isThere"> {
  readonly flags: readonly string[];
  readonly target: string;
  readonly prefix: string;
}

/** Resolves to the paths, relative to the workspace, of the files that are neither in UTF-8 nor begin with a byte order mark. */
export async function legacyFiles(
  programs: Programs,
  workspace: Workspace,
  { flags, target, prefix, ...where }: SearchedFiles,
): Promise<Outcome<ReadonlySet<string>>> {
  const paths: string[] = [];
  const ended = await runRipgrep(programs, {
    ...where,
    args: [
      ...flags,
      "--sort=none",
      "--case-sensitive",
      "--encoding=none",
      "--no-unicode",
      "--files-with-matches",
      ...invalid.map((expression) => `--regexp=${expression}`),
      "--",
      target,
    ],
    onLine: (line) => {
      paths.push(line);
      return true;
    },
  });
  if (!ended.ok) return ended;
  const legacy = new Set<string>();
  for (const path of paths.map((one) => prefix + one.replace(/^\.\//, ""))) {
    if (!(await hasMark(workspace, path))) legacy.add(path);
  }
  return found(legacy);
}

async function hasMark(workspace: Workspace, path: string): Promise<boolean> {
  const opened = workspace.openFile(path);
  if (!opened.ok) return true;
  using file = opened.value;
  try {
    return isMark(await file.read(3));
  } catch {
    return true;
  }
}

function isMark([first, second, third]: Buffer): boolean {
  return (
    (first === 0xff && second === 0xfe) ||
    (first === 0xfe && second === 0xff) ||
    (first === 0xef && second === 0xbb && third === 0xbf)
  );
}

/** Finds the files that import a file, by the text of their import lines. */
import { basename, dirname, extname } from "node:path";
import type { Programs } from "@localharness/processes/children/programs";
import { ripgrepPath, skippedFolders } from "@localharness/processes/search/ripgrep";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { CheckedLanguage } from "./languages.ts";

const maxFound = 8;
const timeoutMs = 1_000;

/** Returns at most eight paths in the workspace. Never rejects; returns what was found within a second. */
export async function findImporters(
  { programs, workspace }: { readonly programs: Programs; readonly workspace: Workspace },
  path: string,
  { imports, ids }: CheckedLanguage,
  signal: AbortSignal,
): Promise<readonly string[]> {
  let output = "";
  const enough = new AbortController();
  const pattern = imports.replace("NAME", () => `(${namesOf(path).map(escaped).join("|")})`);
  await programs.run({
    program: await ripgrepPath(),
    args: [
      ...[
        "--no-config",
        "--no-require-git",
        "--no-messages",
        "--files-with-matches",
        "--null",
        "--max-count",
        "1",
      ],
      ...Object.keys(ids).flatMap((ending) => ["--glob", `*${ending}`]),
      ...skippedFolders,
      ...["--regexp", pattern, "--", "."],
    ],
    cwd: workspace.root,
    timeoutMs,
    signal: AbortSignal.any([signal, enough.signal]),
    alone: true,
    onOutput: (chunk) => {
      output += chunk.toString("utf8");
      if (output.split("\0").length > maxFound + 2) enough.abort();
    },
    onErrorOutput: () => undefined,
  });
  const found = output
    .split("\0")
    .slice(0, -1)
    .map((name) => name.replace(/^\.\//, ""));
  return found.filter((one) => one !== path).slice(0, maxFound);
}

function escaped(name: string): string {
  return name.replace(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}

/** Returns the names by which other files import a file: its own without the ending, and for an index that of its folder. */
function namesOf(path: string): readonly string[] {
  const name = basename(path, extname(path));
  const folder = basename(dirname(path));
  const isIndex = /^(?:index|__init__|mod|lib|main)$/.test(name) || path.endsWith(".go");
  return isIndex && folder !== "" && folder !== "." ? [name, folder] : [name];
}

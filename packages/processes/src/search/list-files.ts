/** Lists the files of the workspace that version control does not ignore, as paths with `/`. */
import { resolve } from "node:path";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import type { Programs } from "../children/programs.ts";
import { ripgrepPath, skippedFolders } from "./ripgrep.ts";

const timeoutMs = 20_000;

export interface FileListing {
  /** The paths relative to the listed folder, in no particular order. */
  readonly paths: readonly string[];
  /** False if there may be more files: the maximum was reached, or the listing was stopped or failed. */
  readonly complete: boolean;
}

export interface ListingParts {
  readonly programs: Programs;
  readonly workspace: Workspace;
}

export interface FileListOptions {
  /**
   * The folder to list, relative to the workspace; by default `.`. For any other folder, the ignore files above it do not
   * count.
   */
  readonly below?: string;
  /** True to list ignored files too. */
  readonly ignored?: boolean;
}

/** Returns at most `most` paths, relative to `below`. Never rejects; returns what could be listed. */
export async function listFiles(
  { programs, workspace }: ListingParts,
  most: number,
  signal: AbortSignal,
  { below = ".", ignored = false }: FileListOptions = {},
): Promise<FileListing> {
  const paths: string[] = [];
  const enough = new AbortController();
  let rest = "";
  const take = (chunk: string) => {
    const names = (rest + chunk).split("\0");
    rest = names.pop() ?? "";
    // A single push with spread is not possible, because a call has a maximum number of arguments.
    for (const name of names) paths.push(name.replace(/^\.\//, ""));
    if (paths.length >= most) enough.abort();
  };
  const decoder = new TextDecoder();
  const { end } = await programs.run({
    program: await ripgrepPath(),
    args: [
      "--no-config",
      "--no-require-git",
      "--files",
      "--hidden",
      "--null",
      "--no-messages",
      ...(below === "." ? [] : ["--no-ignore-parent"]),
      ...(ignored ? ["--no-ignore"] : []),
      ...skippedFolders,
    ],
    cwd: resolve(workspace.root, below),
    timeoutMs,
    signal: AbortSignal.any([signal, enough.signal]),
    alone: true,
    onOutput: (chunk) => take(decoder.decode(chunk, { stream: true })),
    onErrorOutput: () => undefined,
  });
  return { paths: paths.slice(0, most), complete: end.kind === "exited" && paths.length <= most };
}

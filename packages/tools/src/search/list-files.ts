/** Every file of the workspace that version control would not ignore, as paths with `/` between names. */
import type { ToolResources } from "../resources.ts";
import { ripgrepPath, skippedFolders } from "./ripgrep.ts";

const timeoutMs = 20_000;

export interface FileListing {
  /** Relative to the workspace, in no order. */
  readonly paths: readonly string[];
  /** False when there are more, or when it took too long. */
  readonly complete: boolean;
}

/** Never rejects: what could be listed is listed. */
export async function listFiles(
  { programs, workspace }: Pick<ToolResources, "programs" | "workspace">,
  most: number,
  signal: AbortSignal,
): Promise<FileListing> {
  const paths: string[] = [];
  const enough = new AbortController();
  let rest = "";
  const take = (chunk: string) => {
    const names = (rest + chunk).split("\0");
    rest = names.pop() ?? "";
    // Not spread into one call of push: there may be more than a call can take.
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
      ...skippedFolders,
    ],
    cwd: workspace.root,
    timeoutMs,
    signal: AbortSignal.any([signal, enough.signal]),
    alone: true,
    onOutput: (chunk) => take(decoder.decode(chunk, { stream: true })),
    onErrorOutput: () => undefined,
  });
  return { paths: paths.slice(0, most), complete: end.kind === "exited" && paths.length <= most };
}

/** Lists the files whose contents a call of git would take into the repository, before it runs. */
import type { ToolResources } from "../resources.ts";
import { listWithGit } from "./run-git.ts";

/** Matches options of `git add` that change neither which paths are meant nor how they are read. */
const plainOption = /^(?:-[Afuv]+|--all|--force|--update|--verbose)$/;

/**
 * Resolves to the files of `git add`, or to those of `git commit`, relative to the repository; undefined if they are unknown.
 * Expects the words after `git`. Of options and words that cannot be read the files of the whole repository count.
 */
export async function storedPaths(
  resources: ToolResources,
  [command = "", ...rest]: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[] | undefined> {
  if (!/^(?:add|stage|commit)$/.test(command)) return undefined;
  const isCommit = command === "commit";
  const ends = rest.indexOf("--");
  const options = rest.filter((word, at) => word.startsWith("-") && (ends === -1 || at < ends));
  const words = rest.filter(
    (word, at) => word !== "--" && (!word.startsWith("-") || (ends !== -1 && at > ends)),
  );
  const isPlain = !isCommit && options.every((word) => plainOption.test(word)) && !words.some(isComputed);
  const isForced = options.some((word) => word === "--force" || /^-[a-zA-Z]*f/.test(word));
  const status = ["status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"];
  const ignored = isForced && !isCommit ? ["--ignored=matching"] : [];
  const named = isPlain && words.length > 0 ? ["--", ...words] : [];
  const context = { callId: "examine", signal, report: () => undefined };
  const listed = await listWithGit(resources, context, [
    ...status,
    "--ignore-submodules=dirty",
    ...ignored,
    ...named,
  ]);
  if (!listed.ok) return undefined;
  const takesTracked = !isCommit || options.some((word) => word === "--all" || /^-[a-zA-Z]*a/.test(word));
  return listed.value.flatMap((entry) => {
    const [staged = " ", changed = " "] = entry;
    const isTaken = isCommit
      ? (staged !== "?" && staged !== " ") || (takesTracked && changed === "M")
      : changed !== " ";
    const isRemoved = staged === "D" || (staged === " " && changed === "D");
    return isTaken && !isRemoved ? [Buffer.from(entry.slice(3), "latin1").toString("utf8")] : [];
  });
}

function isComputed(word: string): boolean {
  return /[$`~{]/.test(word);
}

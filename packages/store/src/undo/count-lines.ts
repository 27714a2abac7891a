/** Counts the lines that changes had added and removed, for the person who undoes them. */
import { countDiff } from "@localharness/protocol";
import { keptContent } from "@localharness/workspace/changes/change-folder";
import type { PathState } from "@localharness/workspace/changes/path-state";
import { decodeText } from "@localharness/workspace/files/decode-text";
import { unifiedDiff } from "@localharness/workspace/files/unified-diff";
import type { Step } from "./change-history.ts";

const maxCounted = 40;
const maxBytes = 256 * 1024;

/**
 * Returns `+3 -1` for the steps of an undo whose file is text before and after it, by their paths. The numbers are those of the
 * change that is undone; those of a file that comes back say what comes back. `bytes` has the present contents; `folder` the kept ones.
 */
export async function countLines(
  folder: string,
  steps: readonly Step[],
  bytes: ReadonlyMap<string, Buffer>,
): Promise<ReadonlyMap<string, string>> {
  const counts = new Map<string, string>();
  for (const { path, from, to } of steps.slice(0, maxCounted)) {
    if (from.kind !== "file" && to.kind !== "file") continue;
    const old = textOf(to, to.kind === "file" ? await keptContent(folder, to.hash) : undefined);
    const now = textOf(from, bytes.get(path));
    if (old === undefined || now === undefined) continue;
    const comesBack = from.kind === "absent";
    const [one, other] = comesBack ? [now, old] : [old, now];
    const { added, removed } = countDiff(unifiedDiff(path, one, other, Number.POSITIVE_INFINITY));
    const words = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`-${removed}`] : [])];
    if (words.length > 0) counts.set(path, words.join(" "));
  }
  return counts;
}

/** Returns the text of a file, and an empty text if there is none; undefined for anything else. */
function textOf(state: PathState, bytes: Buffer | undefined): string | undefined {
  if (state.kind === "absent") return "";
  if (state.kind !== "file" || bytes === undefined || bytes.length > maxBytes) return undefined;
  return decodeText(bytes)?.text;
}

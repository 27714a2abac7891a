/** Lists the files that the tools of a session changed, each with a diff from its content before the changes. */
import {
  countDiff,
  countText,
  cutDiffLine,
  type FileChange,
  type SessionChanges,
} from "@localharness/protocol";
import { type ChangeRecord, keptContent } from "@localharness/workspace/changes/change-folder";
import { whySecret } from "@localharness/workspace/changes/keep-limits";
import { type PathState, sameState } from "@localharness/workspace/changes/path-state";
import { stateAt } from "@localharness/workspace/changes/put-state";
import { decodeText } from "@localharness/workspace/files/decode-text";
import { unifiedDiff } from "@localharness/workspace/files/unified-diff";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { readHistory } from "./change-history.ts";
import { whyNotKept } from "./plan-undo.ts";

export interface ComparedSession {
  readonly workspace: Workspace;
  /** The folder of the session's change log. */
  readonly folder: string;
  /** The secrets that the program knows. A file that contains a known secret gets no diff. */
  readonly secrets: readonly string[];
}

const maxFiles = 500;
const maxDiffLines = 2_000;
/** The maximum size in bytes of a file that gets a diff. */
const maxTextBytes = 2 * 1024 * 1024;

/**
 * Returns the changes that are not undone, sorted by path, and notes about changes that are not recorded. Leaves out paths
 * whose state is as before, folders that contain another listed path, and paths after the first 500, which a note counts.
 * Rejects with a `HarnessError` if the log cannot be read.
 */
export async function listSessionChanges(session: ComparedSession): Promise<SessionChanges> {
  const turns = (await readHistory(session.folder)).turns.filter(({ undone }) => !undone);
  const chains = Map.groupBy(
    turns.flatMap(({ changes }) => changes),
    ({ path }) => path,
  );
  const paths = [...chains.keys()].toSorted();
  const files: FileChange[] = [];
  for (const path of paths.slice(0, maxFiles)) {
    const change = await changeOf(session, path, chains.get(path) ?? []);
    if (change !== undefined) files.push(change);
  }
  const notes = [...new Set(turns.flatMap(({ missed }) => missed))];
  const left = paths.length - maxFiles;
  return {
    files: withoutParents(files),
    notes:
      left > 0 ? [...notes, `${countText(left, "more path")} ${left === 1 ? "was" : "were"} changed`] : notes,
  };
}

async function changeOf(
  session: ComparedSession,
  path: string,
  chain: readonly ChangeRecord[],
): Promise<FileChange | undefined> {
  const [first, last] = [chain[0], chain.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const { before } = first;
  const looked = await stateAt(session.workspace, path);
  if (!looked.ok) return { path, kind: "changed", note: looked.message };
  const { state: now, bytes } = looked.value;
  if (sameState(before, now)) return undefined;
  const isFolder = now.kind === "folder" || (now.kind === "absent" && before.kind === "folder");
  const change: FileChange = {
    path: isFolder ? `${path}/` : path,
    kind: before.kind === "absent" ? "created" : now.kind === "absent" ? "removed" : "changed",
  };
  const old = await oldText(session, path, before);
  const fresh = newText(session, path, now, bytes);
  const since = sameState(now, last.after) || now.kind === "other" ? "" : "something else changed it since";
  const why = [old.why, fresh.why, since].filter((one) => one !== "").join("; ");
  const noted = why === "" ? change : { ...change, note: why };
  if (old.text === undefined || fresh.text === undefined || isFolder) return noted;
  const diff = unifiedDiff(path, old.text, fresh.text, Number.POSITIVE_INFINITY);
  return { ...noted, ...countDiff(diff), diff: cut(diff) };
}

/**
 * A text to compare. It is empty if the path is absent or a folder, and undefined if the content cannot be compared. `why`
 * is the reason for the person, and may be empty.
 */
interface Compared {
  readonly text: string | undefined;
  readonly why: string;
}

const nothing: Compared = { text: "", why: "" };

async function oldText(session: ComparedSession, path: string, before: PathState): Promise<Compared> {
  if (before.kind === "absent" || before.kind === "folder") return nothing;
  if (before.kind !== "file") return { text: undefined, why: "" };
  if (before.notKept !== undefined) return { text: undefined, why: whyNotKept[before.notKept] };
  const bytes = await keptContent(session.folder, before.hash);
  if (bytes === undefined) return { text: undefined, why: "its old content is not kept any more" };
  return textOf(session, path, bytes);
}

function newText(
  session: ComparedSession,
  path: string,
  now: PathState,
  bytes: Buffer | undefined,
): Compared {
  if (now.kind === "absent" || now.kind === "folder") return nothing;
  if (now.kind === "link") return { text: undefined, why: "it is a link" };
  return bytes === undefined ? { text: undefined, why: "it cannot be read" } : textOf(session, path, bytes);
}

function textOf({ secrets, workspace }: ComparedSession, path: string, bytes: Buffer): Compared {
  if (bytes.length > maxTextBytes) return { text: undefined, why: "it is too large to compare" };
  const secret = whySecret(path, bytes, secrets, workspace.root);
  if (secret !== undefined) return { text: undefined, why: secret };
  const text = decodeText(bytes)?.text;
  return text === undefined ? { text, why: "it is not text" } : { text, why: "" };
}

function cut(diff: string): string {
  const lines = diff.split("\n");
  const left = lines.length - 1 - maxDiffLines;
  return left > 0 ? `${lines.slice(0, maxDiffLines).join("\n")}\n${cutDiffLine(left)}` : diff;
}

/** Returns the changes without the folders that contain another listed path. */
function withoutParents(files: readonly FileChange[]): readonly FileChange[] {
  const names = files.map(({ path }) => path);
  return files.filter(
    ({ path }) => !path.endsWith("/") || !names.some((name) => name !== path && name.startsWith(path)),
  );
}

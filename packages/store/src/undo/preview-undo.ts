/** Says what an undo would do, without doing it. */
import type { UndoPreview } from "@localharness/protocol";
import { keptContent } from "@localharness/workspace/changes/change-folder";
import { readHistory, type Step, type TurnChanges } from "./change-history.ts";
import { chooseTurns } from "./choose-turns.ts";
import { countLines } from "./count-lines.ts";
import { lookAtPaths, type PresentStates } from "./look-at-paths.ts";
import { planUndo } from "./plan-undo.ts";
import { rowsOf, summary } from "./report-changes.ts";
import { type SessionFile, turnInWords } from "./turn-words.ts";

export interface PreviewedSession extends SessionFile {
  /** The folder of the session's change log. */
  readonly folder: string;
}

/**
 * Returns what an undo of the last turns, or of the turns with these ids, would do, the last turn first. Leaves out turns with nothing
 * to undo. Rejects with a `HarnessError` if the log cannot be read.
 */
export async function previewUndo(
  session: PreviewedSession,
  wanted: number | readonly string[],
): Promise<readonly UndoPreview[]> {
  const { turns } = await readHistory(session.folder);
  const previews: UndoPreview[] = [];
  const foreseen: PresentStates = { states: new Map(), bytes: new Map() };
  for (const turn of chooseTurns(turns, typeof wanted === "number" ? Number.POSITIVE_INFINITY : wanted)) {
    if (previews.length === wanted) break;
    const preview = await previewTurn(session, turn, foreseen);
    if (preview !== undefined) previews.push(preview);
  }
  return previews;
}

/** `foreseen` has the states after the undo of later turns, and gets those after this one. */
async function previewTurn(
  session: PreviewedSession,
  { turn, changes, calls, missed }: TurnChanges,
  foreseen: PresentStates,
): Promise<UndoPreview | undefined> {
  const paths = changes.map(({ path }) => path).filter((path) => !foreseen.states.has(path));
  const { states, bytes } = await lookAtPaths(session.workspace, paths);
  for (const [path, state] of states) {
    if (!foreseen.states.has(path)) foreseen.states.set(path, state);
  }
  for (const [path, content] of bytes) foreseen.bytes.set(path, content);
  const { steps, left } = planUndo(changes, foreseen.states);
  if (steps.length + left.length + missed.length === 0) return undefined;
  const counts = await countLines(session.folder, steps, foreseen.bytes);
  for (const step of steps) await foresee(session.folder, step, foreseen);
  const reported = { done: steps, left, calls, missed, counts };
  const words = await turnInWords(session, turn);
  return {
    turn,
    lines: [`${words}, ${summary(reported)}`, ...rowsOf(reported, "foreseen")],
    paths: steps.map(({ path }) => path),
    ...(left.length === 0 ? {} : { left: left.map(({ path }) => path) }),
  };
}

async function foresee(folder: string, { path, to }: Step, { states, bytes }: PresentStates): Promise<void> {
  states.set(path, to);
  const content = to.kind === "file" ? await keptContent(folder, to.hash) : undefined;
  if (content === undefined) bytes.delete(path);
  else bytes.set(path, content);
}

/** Builds the tree of sessions that were forked from each other. */
import type { ListedSession } from "./list-sessions.ts";

export interface ForkedSession extends ListedSession {
  /** The distance from the root of the tree, which has depth 0. */
  readonly depth: number;
  readonly current: boolean;
}

/**
 * Returns the whole tree that contains the session `id`; an empty list if there is no such session. Each session comes
 * before its forks, and older forks come first.
 */
export function forkTree(sessions: readonly ListedSession[], id: string): readonly ForkedSession[] {
  const byId = new Map(sessions.map((session) => [session.id, session]));
  let root = byId.get(id);
  const seen = new Set<string>();
  while (root?.parent !== undefined && !seen.has(root.id)) {
    seen.add(root.id);
    const above = byId.get(root.parent.id);
    if (above === undefined) break;
    root = above;
  }
  const tree: ForkedSession[] = [];
  const placed = new Set<string>();
  const place = (session: ListedSession, depth: number): void => {
    if (placed.has(session.id)) return;
    placed.add(session.id);
    tree.push({ ...session, depth, current: session.id === id });
    const branches = sessions.filter(({ parent }) => parent?.id === session.id);
    for (const branch of branches.toSorted((left, right) => (left.id < right.id ? -1 : 1)))
      place(branch, depth + 1);
  };
  if (root !== undefined) place(root, 0);
  return tree;
}

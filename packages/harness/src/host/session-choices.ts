/** Opens earlier sessions and forks in place of the current session. Lists, renames, deletes and exports sessions. */
import type { Session } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import type { Host, SessionChoice } from "@localharness/protocol";
import type { EarlierSession, KeptSessions, ShownSession } from "@localharness/store/sessions/kept-sessions";
import { sessionsOfChats } from "@localharness/store/sessions/list-sessions";

/**
 * Opens the session to continue; returns undefined for a new session. Rejects with a `HarnessError` whose message is
 * for the person.
 */
export async function takeEarlier(
  sessions: KeptSessions | undefined,
  current: Session,
  which: SessionChoice,
): Promise<EarlierSession | undefined> {
  if (current.view().turn.running) throw usageError("a turn is running: interrupt it first");
  if (which.kind === "new") return undefined;
  const kept = required(sessions);
  if (which.kind === "fork") return kept.forkSession(current.id, which.beforeSeq);
  const id = await kept.findSession(which.id);
  if (id === current.id) throw usageError("this session is open already");
  return kept.openSession(id);
}

/**
 * Returns the name of a session: the name that the person gave it, or the beginning of its first message. Returns an
 * empty text if neither is known.
 */
export async function sessionName(sessions: KeptSessions | undefined, id: string): Promise<string> {
  const listed = (await sessions?.listSessions("").catch(() => [])) ?? [];
  return listed.find((one) => one.id === id)?.name ?? "";
}

type SessionMethods = Pick<
  Host,
  "listSessions" | "readSessionName" | "renameSession" | "deleteSession" | "listForks" | "exportSession"
>;

export function sessionMethods(sessions: KeptSessions | undefined, current: () => Session): SessionMethods {
  return {
    async listSessions(words, signal) {
      const listed = await required(sessions).listSessions(words, signal);
      return sessionsToOffer(listed, words).filter(({ id }) => id !== current().id);
    },
    readSessionName: () => sessionName(sessions, current().id),
    renameSession: async (id, name) => required(sessions).renameSession(id, name),
    async deleteSession(id) {
      if (id === current().id) {
        throw usageError("the current session cannot be deleted: begin another one with /clear first");
      }
      await required(sessions).deleteSession(id);
    },
    async listForks() {
      const tree = await required(sessions).listForks(current().id);
      return tree.length > 1 ? tree : [];
    },
    exportSession: async (format, path) => required(sessions).exportSession(current().id, format, path),
  };
}

/**
 * Returns the sessions that a screen lists. Sessions without messages have nothing to continue, and sessions of runs are
 * listed only by a search, or if no chat made a session.
 */
export function sessionsToOffer(all: readonly ShownSession[], words: string): readonly ShownSession[] {
  const begun = all.filter(({ messages }) => messages > 0);
  return words.trim() === "" ? sessionsOfChats(begun) : begun;
}

function required(sessions: KeptSessions | undefined): KeptSessions {
  if (sessions !== undefined) return sessions;
  throw usageError(
    'no sessions are saved in this run: that needs a home folder, and the setting "sessions" at "keep"',
  );
}

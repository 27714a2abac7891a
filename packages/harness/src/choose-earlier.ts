/** Opens the earlier session that the options `--continue` and `--resume` ask for. */
import { usageError } from "@localharness/engine";
import { agoText, visibleLine } from "@localharness/protocol";
import type { EarlierSession, KeptSessions } from "@localharness/store/sessions/kept-sessions";
import { type Options, textOption } from "./options.ts";

export type EarlierChoice =
  /**
   * The session to continue; `earlier` is undefined for a new session. `about` tells the person which session
   * `--continue` found.
   */
  | { readonly kind: "one"; readonly earlier: EarlierSession | undefined; readonly about?: string }
  /** Lines that list the sessions from which the person has to choose, for `--resume` without an id. */
  | { readonly kind: "list"; readonly lines: readonly string[] };

const maxListed = 20;

/**
 * Opens the session that `--continue` or `--resume` names; no session if neither option is given. For `--resume` without an
 * id, returns the list to choose from. Rejects with a `HarnessError` if there is no such session, if no sessions are saved,
 * or if both options are given.
 */
export async function chooseEarlier(
  sessions: KeptSessions | undefined,
  flags: Options,
): Promise<EarlierChoice> {
  const wanted = textOption(flags, "resume");
  if (flags.continue !== true && flags.resume === undefined) return { kind: "one", earlier: undefined };
  if (flags.continue === true && flags.resume !== undefined) {
    throw usageError("--continue and --resume exclude each other: give only one");
  }
  if (sessions === undefined) {
    throw usageError("no sessions are saved: there is no home folder for them, or --no-session is set");
  }
  if (flags.resume === true) {
    const { sessionRow } = await import("@localharness/store/sessions/session-line");
    const all = await sessions.listSessions("");
    if (all.length === 0) throw usageError("there is no session in this folder yet");
    const lines = all.slice(0, maxListed).map((one, index) => sessionRow(index + 1, one, Date.now()));
    return { kind: "list", lines };
  }
  const id = wanted === undefined ? await sessions.newestSession() : await sessions.findSession(wanted);
  if (id === undefined) throw usageError("there is no session in this folder yet: start without --continue");
  const about = wanted === undefined ? { about: await aboutSession(sessions, id) } : {};
  return { kind: "one", earlier: await sessions.openSession(id), ...about };
}

/**
 * Returns a sentence about the session that was used last. If that session was a run with `-p`, the sentence also names
 * the last chat.
 */
async function aboutSession(sessions: KeptSessions, id: string): Promise<string> {
  const all = await sessions.listSessions("");
  const found = all.find((one) => one.id === id);
  if (found === undefined) return `Continuing ${id}.`;
  const begun = `Continuing the session "${clip(found.name)}", last used ${agoText(Date.now() - found.changed)}.`;
  if (found.oneShot !== true) return begun;
  const chat = all.findIndex(({ oneShot, messages }) => oneShot !== true && messages > 0);
  const other =
    chat === -1 ? "" : ` Your last chat is "${clip(all[chat]?.name ?? "")}": --resume=${chat + 1}`;
  return `${begun} It is a run with -p.${other}`;
}

function clip(name: string): string {
  const line = visibleLine(name);
  return line.length > 50 ? `${line.slice(0, 50)}…` : line;
}

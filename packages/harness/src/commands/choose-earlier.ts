/** Opens the earlier session that the options `--continue` and `--resume` ask for. */
import { usageError } from "@localharness/engine";
import { agoText, countText, visibleLine } from "@localharness/protocol";
import type { Continued, EarlierSession, KeptSessions } from "@localharness/store/sessions/kept-sessions";
import { type Options, textOption } from "../config/options.ts";

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
 * Opens the session that `--continue` or `--resume` names; no session if neither option is given. `of` says which sessions
 * `--continue` may open; a chat continues a session of a chat if there is one. For `--resume` without an
 * id, returns the list to choose from. Rejects with a `HarnessError` if there is no such session, if no sessions are saved,
 * or if both options are given.
 */
export async function chooseEarlier(
  sessions: KeptSessions | undefined,
  flags: Options,
  of: Continued,
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
    const { rowsToChoose } = await import("@localharness/store/sessions/session-line");
    const all = await sessions.listSessions("");
    if (all.length === 0) throw usageError("there is no session in this folder yet");
    return { kind: "list", lines: rowsToChoose(all, maxListed, Date.now()) };
  }
  const id = wanted === undefined ? await sessions.newestSession(of) : await sessions.findSession(wanted);
  if (id === undefined) throw usageError(await noSession(sessions));
  const about = wanted === undefined ? { about: await aboutSession(sessions, id) } : {};
  return { kind: "one", earlier: await sessions.openSession(id), ...about };
}

/** Returns why `--continue` finds no session, and names folders that are gone, one of which may be this one, renamed. */
async function noSession(sessions: KeptSessions): Promise<string> {
  const gone = await sessions.goneFolders();
  const lines = gone.map(
    ({ workspace, sessions: all }) =>
      `\n  ${visibleLine(workspace)}: ${countText(all.length, "session")}, the newest ${all[0]?.id}`,
  );
  const none = "there is no session in this folder yet: start without --continue";
  if (lines.length === 0) return none;
  return `${none}. Sessions of folders that are gone:${lines.join("")}\nIf this is one of them, renamed: localharness sessions move OLD . takes its sessions along, and --resume ID continues one without that`;
}

/** Returns a sentence about the session that `--continue` opens. */
async function aboutSession(sessions: KeptSessions, id: string): Promise<string> {
  const all = await sessions.listSessions("");
  const found = all.find((one) => one.id === id);
  if (found === undefined) return `Continuing ${id}.`;
  const begun = `Continuing the session "${clip(found.name)}", last used ${agoText(Date.now() - found.changed)}.`;
  return found.oneShot === true ? `${begun} It is a run without a chat.` : begun;
}

function clip(name: string): string {
  const line = visibleLine(name);
  return line.length > 50 ? `${line.slice(0, 50)}…` : line;
}

/** Which session the options ask to go on with. */

import { usageError } from "@localharness/engine";
import type { EarlierSession, KeptSessions } from "@localharness/store/sessions/kept-sessions";
import { type Options, textOption } from "./options.ts";

export type EarlierChoice =
  /** `earlier` undefined: a new session. */
  | { readonly kind: "one"; readonly earlier: EarlierSession | undefined }
  /** `--resume` without an id: the person has to choose. */
  | { readonly kind: "list"; readonly lines: readonly string[] };

const mostListed = 20;

/** Throws a `HarnessError` when there is no such session. */
export async function chooseEarlier(
  sessions: KeptSessions | undefined,
  flags: Options,
): Promise<EarlierChoice> {
  const wanted = textOption(flags, "resume");
  if (flags.continue !== true && flags.resume === undefined) return { kind: "one", earlier: undefined };
  if (flags.continue === true && flags.resume !== undefined)
    throw usageError("--continue and --resume do not go together: which session?");
  if (sessions === undefined)
    throw usageError("no sessions are kept here: there is no folder for them, or --no-session forbids it");
  if (flags.resume === true) {
    const { sessionRow } = await import("@localharness/store/sessions/session-line");
    const all = await sessions.listSessions("");
    if (all.length === 0) throw usageError("there is no session in this folder yet");
    const lines = all.slice(0, mostListed).map((one, index) => sessionRow(index + 1, one, Date.now()));
    return { kind: "list", lines };
  }
  const id = wanted === undefined ? await sessions.newestSession() : await sessions.findSession(wanted);
  if (id === undefined) throw usageError("there is no session in this folder yet: leave --continue away");
  return { kind: "one", earlier: await sessions.openSession(id) };
}

/** Runs the commands of the line chat that open or write saved sessions: `/resume`, `/fork`, `/tree`, `/export`. */
import { readExport } from "@localharness/protocol/command-texts";
import type { EarlierSession, KeptSessions } from "@localharness/store/sessions/kept-sessions";
import { forkLine, rowsToChoose } from "@localharness/store/sessions/session-line";
import { personMessages } from "@localharness/store/sessions/take-up-session";
import { joinedLine, visibleLine } from "../terminal/plain-text.ts";
import type { Chat, ChatCommandRuns } from "./chat.ts";
import { say } from "./say.ts";

const maxListed = 20;

export const sessionCommands = { resume, fork, tree, export: exportHere } satisfies ChatCommandRuns;

function resume(chat: Chat, rest: string): Promise<void> {
  return withSessions(chat, async (sessions) => {
    if (rest !== "") {
      const id = await sessions.findSession(rest);
      if (id === chat.session.id) return say(chat, "this session is already open");
      return continueWith(chat, () => sessions.openSession(id));
    }
    const all = await sessions.listSessions("");
    if (all.length === 0) return say(chat, "no sessions here yet");
    say(
      chat,
      [...rowsToChoose(all, maxListed, Date.now()), "/resume NUMBER continues one of these."].join("\n"),
    );
  });
}

function fork(chat: Chat, rest: string): Promise<void> {
  return withSessions(chat, async (sessions) => {
    if (!hasBegun(chat)) return;
    const mine = personMessages(await sessions.readEvents(chat.session.id));
    const chosen = mine[Number(rest) - 1];
    if (chosen !== undefined) {
      return continueWith(chat, () => sessions.forkSession(chat.session.id, chosen.seq));
    }
    const rows = mine.map(({ content }, index) => `${index + 1}. ${joinedLine(content.slice(0, 100))}`);
    say(chat, [...rows, "/fork NUMBER goes back to before that message; this session is kept."].join("\n"));
  });
}

function tree(chat: Chat): Promise<void> {
  return withSessions(chat, async (sessions) => {
    const all = await sessions.listForks(chat.session.id);
    if (all.length < 2) return say(chat, "this session has no branches: /fork makes one");
    say(chat, [...all.map(forkLine), "/resume ID continues one of these."].join("\n"));
  });
}

function exportHere(chat: Chat, rest: string): Promise<void> {
  return withSessions(chat, async (sessions) => {
    if (!hasBegun(chat)) return;
    const { format, path } = readExport(rest);
    say(chat, `written to ${visibleLine(await sessions.exportSession(chat.session.id, format, path))}`);
  });
}

/** Returns true if the session has events. Otherwise tells the person that the session has no messages yet. */
function hasBegun(chat: Chat): boolean {
  if (chat.session.view().lastSeq > 0) return true;
  say(chat, "this session has no messages yet");
  return false;
}

/**
 * Opens a session or branch and continues it. Refuses while a turn is running, because the chat cannot leave that turn.
 */
async function continueWith(chat: Chat, open: () => Promise<EarlierSession>): Promise<void> {
  const isBusy = () => chat.session.view().turn.running;
  if (isBusy()) return say(chat, "a turn is running: Ctrl-C interrupts it");
  const earlier = await open();
  if (!isBusy()) return chat.startOver(earlier);
  // A line that was typed late in the last turn may have started another turn meanwhile.
  earlier.writer.close();
  say(chat, "a turn is running: Ctrl-C interrupts it");
}

/** Runs `work`; if sessions are not saved, says so instead. */
async function withSessions(chat: Chat, work: (sessions: KeptSessions) => Promise<void>): Promise<void> {
  const { sessions } = chat.options;
  if (sessions === undefined) return say(chat, "sessions are not saved here");
  await work(sessions);
}

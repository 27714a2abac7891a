/** Tells the person at the end of a chat what ends with it, and how to continue its session later. */
import type { Session } from "@localharness/engine";
import { countText, type JobSummary, visibleLine } from "@localharness/protocol";
import type { KeptSessions } from "@localharness/store/sessions/kept-sessions";
import { folded } from "../commands/fold-lines.ts";

const idChars = 8;

/**
 * Writes to stderr which jobs end now, and how to continue the session if it is saved and has a message. `--continue` opens
 * the chat of this folder that was used last; if that is another session, the line names `--resume` with the id.
 */
export async function sayHowToComeBack(
  session: Session,
  sessions: Pick<KeptSessions, "newestSession"> | undefined,
  jobs: readonly JobSummary[],
): Promise<void> {
  const running = jobs.filter((job) => job.running).map(({ command }) => visibleLine(command).slice(0, 60));
  if (running.length > 0) {
    const ending = countText(running.length, "command");
    tell(`${ending} in the background ${running.length === 1 ? "ends" : "end"} now: ${running.join(", ")}`);
  }
  const said = session
    .view()
    .messages.some((message) => message.role === "user" && message.from !== "harness");
  if (sessions === undefined || !said) return;
  const isNewest = (await sessions.newestSession("chats")) === session.id;
  const how = isNewest ? "--continue" : `--resume ${session.id.slice(0, idChars)}`;
  tell(`To continue this session: localharness ${how}`);
}

function tell(line: string): void {
  process.stderr.write(folded(`${line}\n`, process.stderr));
}

/** Names a turn for the person. */
import { existsSync } from "node:fs";
import type { Workspace } from "@localharness/workspace/paths/workspace";
import { isTypedTurn } from "@localharness/workspace/snapshots/typed-turn";
import { titleOf } from "../sessions/count-messages.ts";
import { sessionPath, sessionsFolder } from "../sessions/session-place.ts";

export interface SessionFile {
  readonly stateFolder: string;
  readonly workspace: Workspace;
  readonly sessionId: string;
}

/** Returns the first words of the message that began the turn; the turn's number if no such message can be read. */
export async function turnInWords(
  { stateFolder, workspace, sessionId }: SessionFile,
  turnId: string,
): Promise<string> {
  if (isTypedTurn(turnId)) return "your command";
  const number = turnId.replace("-", " ");
  const path = sessionPath(sessionsFolder(stateFolder, workspace.root), sessionId);
  if (!existsSync(path)) return number;
  try {
    const { readSessionFile } = await import("../sessions/read-session.ts");
    const { events } = await readSessionFile(path);
    const asked = events.find(
      (event) => event.turnId === turnId && event.type === "user-message" && event.from === "person",
    );
    return asked?.type === "user-message" ? `"${titleOf(asked.content, maxWordsChars)}"` : number;
  } catch {
    return number;
  }
}

const maxWordsChars = 60;

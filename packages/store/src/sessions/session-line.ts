/** Formats a session as one line for people. */
import { agoText, countText, joinedLine, visibleLine } from "@localharness/protocol";
import type { ForkedSession } from "./fork-tree.ts";
import type { ShownSession } from "./kept-sessions.ts";
import { sessionsOfChats } from "./list-sessions.ts";

const nameChars = 60;

/**
 * Returns a line such as ` 3 mi8x2k4f-... 2 h ago 12 messages the name`. The name of a run has the
 * prefix `[-p]`, and that of a fork has a fork sign. After a search, a second line has the excerpt.
 */
export function sessionRow(number: number | undefined, session: ShownSession, now: number): string {
  const { id, name, changed, messages, parent, oneShot, excerpt } = session;
  const cells = [
    ...(number === undefined ? [] : [String(number).padStart(3)]),
    visibleLine(id),
    agoText(now - changed).padEnd(10),
    `${String(messages).padStart(4)} ${messages === 1 ? "message " : "messages"}`,
    `${parent === undefined ? "" : "⑂ "}${oneShot === true ? "[-p] " : ""}${clip(name || "(no messages yet)")}`,
  ];
  const row = cells.join("  ");
  return excerpt === undefined || excerpt === "" ? row : `${row}\n       ${joinedLine(excerpt)}`;
}

/**
 * Returns the lines of a list from which a person chooses a session of a chat, at most `most` and the newest first. A number
 * is the position among all sessions. If no chat made a session, the list has those of runs; else a last line counts them.
 */
export function rowsToChoose(all: readonly ShownSession[], most: number, now: number): readonly string[] {
  const chats = sessionsOfChats(all);
  const rows = chats.slice(0, most).map((one) => sessionRow(all.indexOf(one) + 1, one, now));
  const runs = all.length - chats.length;
  if (runs === 0) return rows;
  return [...rows, `${countText(runs, "run")} without a chat: localharness sessions lists all`];
}

/** Returns a line of a fork tree, indented by its depth. `*` marks the current session. */
export function forkLine({ depth, current, id, name, messages }: ForkedSession): string {
  return `${current ? "*" : " "} ${"  ".repeat(depth)}${visibleLine(id)}  ${countText(messages, "message")}  ${clip(name)}`;
}

function clip(text: string): string {
  const line = joinedLine(text);
  return line.length <= nameChars ? line : `${line.slice(0, nameChars)}…`;
}

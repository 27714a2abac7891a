/** Formats a session as one line for people. */
import { agoText, countText, visibleLine } from "@localharness/protocol";
import type { ForkedSession } from "./fork-tree.ts";
import type { ShownSession } from "./kept-sessions.ts";

const nameChars = 60;

/**
 * Returns a line such as ` 3 mi8x2k4f-... 2 h ago 12 messages the name`. The name of a run with one message has the
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
  return excerpt === undefined || excerpt === "" ? row : `${row}\n       ${visibleLine(excerpt)}`;
}

/** Returns a line of a fork tree, indented by its depth. `*` marks the current session. */
export function forkLine({ depth, current, id, name, messages }: ForkedSession): string {
  return `${current ? "*" : " "} ${"  ".repeat(depth)}${visibleLine(id)}  ${countText(messages, "message")}  ${clip(name)}`;
}

function clip(text: string): string {
  const line = visibleLine(text);
  return line.length <= nameChars ? line : `${line.slice(0, nameChars)}…`;
}

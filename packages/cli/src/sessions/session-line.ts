/** A session on one line, for people. */
import { visibleLine } from "../terminal/plain-text.ts";
import type { ForkedSession } from "./fork-tree.ts";
import type { ShownSession } from "./kept-sessions.ts";

const nameChars = 60;

/** ` 3  mi8x2k4f-...  2 h ago   12 messages  the name`, and where the searched words are. */
export function sessionRow(number: number | undefined, session: ShownSession, now: number): string {
  const { id, name, changed, messages, parent, excerpt } = session;
  const cells = [
    ...(number === undefined ? [] : [String(number).padStart(3)]),
    visibleLine(id),
    ago(now - changed).padEnd(8),
    `${String(messages).padStart(4)} messages`,
    `${parent === undefined ? "" : "⑂ "}${clip(name || "(nothing said yet)")}`,
  ];
  const row = cells.join("  ");
  return excerpt === undefined || excerpt === "" ? row : `${row}\n       ${visibleLine(excerpt)}`;
}

/** One of a tree, indented by its depth; `*` marks the current one. */
export function forkLine({ depth, current, id, name, messages }: ForkedSession): string {
  return `${current ? "*" : " "} ${"  ".repeat(depth)}${visibleLine(id)}  ${messages} messages  ${clip(name)}`;
}

function clip(text: string): string {
  const line = visibleLine(text);
  return line.length <= nameChars ? line : `${line.slice(0, nameChars)}…`;
}

/** How long ago, in the largest unit that fits. */
export function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} m ago`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`;
  return `${Math.floor(minutes / (24 * 60))} d ago`;
}

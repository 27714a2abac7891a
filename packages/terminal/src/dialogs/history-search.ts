/** Dialog that searches the messages of the history, newest first. */
import type { Dialog } from "../app.ts";
import { joinedLine } from "../plain-text.ts";
import { selectList } from "./select-list.ts";

/** The maximum length of the beginning of a message that is shown and searched, in UTF-16 units. */
const maxRowChars = 2_000;

/** Returns the dialog. `take` is called with the message that the person chose. */
export function historySearch(messages: readonly string[], take: (message: string) => void): Dialog {
  return selectList({
    title: "Earlier messages",
    empty: "no messages yet",
    enter: "takes it into the editor",
    load: async () =>
      messages.map((message, at) => ({ id: String(at), label: joinedLine(message.slice(0, maxRowChars)) })),
    onEnter({ id }, list) {
      list.close();
      take(messages[Number(id)] ?? "");
    },
  });
}

/**
 * Goes back to before an earlier message: with the conversation, which then continues in a branch with that message in the field,
 * with the files, or with both.
 */
import { countText, type ItemOf } from "@localharness/protocol";
import type { Client } from "../session/client.ts";
import { changeUi, type RewindReach } from "./ui.ts";
import { showReport } from "./undo.ts";

/** Asks what goes back, if turns since the message have changed files. While a turn runs only the conversation can. */
export async function goBack(client: Client, message: ItemOf<"user">): Promise<void> {
  const session = client.session();
  if (session === undefined) return;
  const later = session.items.flatMap((item) =>
    item.kind === "user" && item.from === "person" && item.seq >= message.seq ? [item.turnId] : [],
  );
  const turns = [...new Set(later)];
  const branch = () =>
    client.open({ kind: "fork", id: session.id, beforeSeq: message.seq }, true, {
      text: message.text,
      images: message.images ?? [],
    });
  if (session.view.turn.running) {
    await branch();
    return;
  }
  await client.act(async () => {
    const previews = await client.call("previewUndo", turns);
    const paths = new Set(previews.flatMap((one) => one.paths));
    if (paths.size === 0) return void (await branch());
    const go = async (reach: RewindReach) => {
      const report = reach === "conversation" ? undefined : await client.call("undoTurns", turns);
      if (reach !== "files") await branch();
      if (report !== undefined) showReport("Undo", report);
    };
    changeUi({
      dialog: {
        kind: "rewind",
        title: "What goes back to before this message?",
        text: [
          `Going back with the files undoes ${countText(paths.size, "path")}:`,
          ...previews.flatMap(({ lines }) => lines),
        ].join("\n"),
        done: (reach) => void client.act(() => go(reach)),
      },
    });
  });
}

/** Undoes and redoes the file changes of turns, and shows what happened to each file. */
import { type ChangeReport, countText } from "@localharness/protocol";
import type { Client } from "../session/client.ts";
import { changeUi } from "./ui.ts";

/**
 * Shows what an undo would do, and undoes after a yes; then calls `after`. If nothing would be restored, shows at once why.
 */
export async function undo(client: Client, turns = 1, after: () => void = () => {}): Promise<void> {
  await client.act(async () => {
    const previews = await client.call("previewUndo", turns);
    const go = async () => {
      showReport("Undo", await client.call("undo", turns));
      after();
    };
    if (previews.every(({ paths }) => paths.length === 0)) return go();
    changeUi({
      dialog: {
        kind: "confirm",
        title:
          previews.length === 1 ? "Undo these changes?" : `Undo these ${countText(previews.length, "turn")}?`,
        text: previews.flatMap(({ lines }) => lines).join("\n"),
        action: "Undo",
        done: () => void client.act(go),
      },
    });
  });
}

export async function redo(client: Client): Promise<void> {
  await client.act(async () => showReport("Redo", await client.call("redo")));
}

export function showReport(title: string, { lines, changed }: ChangeReport): void {
  const text = lines.length === 0 ? "No file was changed." : lines.join("\n");
  changeUi({ dialog: { kind: "text", title: `${title}: ${changed} changed`, text } });
}

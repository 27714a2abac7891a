/** Undoes and redoes the file changes of turns, and shows what happened to each file. */
import type { ChangeReport } from "@localharness/protocol";
import type { Client } from "../session/client.ts";
import { changeUi } from "./ui.ts";

export async function undo(client: Client, turns = 1): Promise<void> {
  await client.act(async () => show("Undo", await client.call("undo", turns)));
}

export async function redo(client: Client): Promise<void> {
  await client.act(async () => show("Redo", await client.call("redo")));
}

function show(title: string, { lines, changed }: ChangeReport): void {
  const text = lines.length === 0 ? "No file was changed." : lines.join("\n");
  changeUi({ dialog: { kind: "text", title: `${title}: ${changed} changed`, text } });
}

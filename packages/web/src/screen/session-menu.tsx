/** The menu of actions for a session in the list. */
import { type ExportFormat, exportEndings, visibleLine } from "@localharness/protocol";
import type { ReactNode } from "react";
import { Menu } from "../parts/menu.tsx";
import { saveText } from "../parts/save-text.ts";
import type { Client } from "../session/client.ts";
import { changeUi } from "./ui.ts";
import { useClient } from "./use-client.ts";

export function SessionMenu(props: {
  readonly id: string;
  readonly name: string;
  readonly isOpen: boolean;
}): ReactNode {
  const client = useClient();
  const { id, name, isOpen } = props;
  return (
    <Menu
      label={`Actions of ${name === "" ? "this session" : visibleLine(name.slice(0, 60))}`}
      className="opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-lg:opacity-100"
      actions={[
        { label: "Rename", icon: "edit", run: () => askName(client, id, name) },
        {
          label: "Export as Markdown",
          icon: "download",
          run: () => void exportSession(client, id, "markdown"),
        },
        { label: "Export as HTML", icon: "download", run: () => void exportSession(client, id, "html") },
        { label: "Export as JSON", icon: "download", run: () => void exportSession(client, id, "json") },
        ...(isOpen
          ? [{ label: "Close", icon: "cross", run: () => void closeSession(client, id) } as const]
          : []),
        { label: "Delete", icon: "trash", isDangerous: true, run: () => askDelete(client, id, name) },
      ]}
    />
  );
}

export function askName(client: Client, id: string, name: string): void {
  changeUi({
    dialog: {
      kind: "line",
      title: "Rename the session",
      label: "Name",
      value: name,
      done: (text) => void client.act(() => client.api.rename(id, text)).then(() => client.refresh()),
    },
  });
}

export async function exportSession(client: Client, id: string, format: ExportFormat): Promise<void> {
  await client.act(async () =>
    saveText(`session-${id}${exportEndings[format]}`, await client.api.exportText(id, format)),
  );
}

async function closeSession(client: Client, id: string): Promise<void> {
  if (client.session()?.id === id) client.leave();
  await client.act(() => client.api.close(id));
}

export function askDelete(client: Client, id: string, name: string): void {
  changeUi({
    dialog: {
      kind: "confirm",
      title: "Delete the session?",
      text: `“${name.slice(0, 200)}” is removed from the disk of the server. This cannot be undone.`,
      action: "Delete",
      done: () => void deleteSession(client, id),
    },
  });
}

async function deleteSession(client: Client, id: string): Promise<void> {
  if (client.session()?.id === id) client.leave();
  await client.act(async () => {
    await client.api.close(id);
    await client.api.remove(id);
  });
  await client.refresh();
}

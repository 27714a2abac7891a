/** The palette of all commands: those of the table, the person's own, and the parts of the screen. */
import { type CustomCommand, reasonOf } from "@localharness/protocol";
import { commandNamed, commandsOn } from "@localharness/protocol/command-texts";
import { type ReactNode, useMemo } from "react";
import { Picker, type PickerRow } from "../parts/picker.tsx";
import { closeDialog } from "./close-dialog.ts";
import { runCommand } from "./commands.ts";
import { changeUi } from "./ui.ts";
import { useClient, useSession } from "./use-client.ts";
import { useRemote } from "./use-remote.ts";

const keys: Readonly<Record<string, string>> = { help: "?", mode: "Alt+M", clear: "Ctrl+Shift+O" };

export function PaletteDialog(): ReactNode {
  const client = useClient();
  const id = useSession((session) => session.id);
  const load = useMemo(
    () => async (): Promise<readonly CustomCommand[]> =>
      id === undefined ? [] : client.call("listCustomCommands"),
    [client, id],
  );
  const [own] = useRemote(load);
  const rows: readonly PickerRow[] = [
    ...commandsOn("browser").map(({ name, about }) => ({
      id: name,
      label: `/${name}`,
      about,
      ...(keys[name] === undefined ? {} : { hint: keys[name] }),
    })),
    { id: "dialog:phone", label: "Pair a phone", about: "a link for another browser" },
    ...(own.kind === "value" ? own.value : []).map(({ name, about }) => ({
      id: `own:${name}`,
      label: `/${name}`,
      about,
    })),
  ];
  const choose = ({ id: chosen }: PickerRow) => {
    closeDialog();
    const command = commandNamed("browser", chosen);
    if (command !== undefined) void runCommand(client, command);
    else if (chosen === "dialog:phone") changeUi({ dialog: { kind: "phone" } });
    else void runOwn(chosen.slice("own:".length));
  };
  const runOwn = async (name: string) => {
    try {
      await client.submit({ text: await client.call("expandCustomCommand", name, ""), images: [] });
    } catch (error) {
      client.tell(reasonOf(error), "error");
    }
  };
  return (
    <Picker
      title="Commands"
      placeholder="What do you want to do?"
      empty="There are no commands."
      rows={rows}
      onClose={closeDialog}
      onChoose={choose}
    />
  );
}

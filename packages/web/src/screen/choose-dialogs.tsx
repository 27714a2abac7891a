/** The dialogs with a list to choose from: modes, themes, models, branches, and messages before which a branch can begin. */
import { countText, permissionModes } from "@localharness/protocol";
import { modelFacts } from "@localharness/protocol/command-texts";
import { type ReactNode, useMemo } from "react";
import { Picker, type PickerRow } from "../parts/picker.tsx";
import { closeDialog } from "./close-dialog.ts";
import { useMode } from "./composer-bar.tsx";
import { modeLabels } from "./mode-words.ts";
import { goBack } from "./rewind.ts";
import { changeUi, type ThemeChoice, themes } from "./ui.ts";
import { useClient, useSession, useUi } from "./use-client.ts";
import { useRemote } from "./use-remote.ts";

export function ModeDialog(): ReactNode {
  const client = useClient();
  const current = useMode();
  return (
    <Picker
      title="Permission mode"
      placeholder="Choose a mode"
      empty=""
      rows={permissionModes.map((mode) => ({
        id: mode,
        label: modeLabels[mode].name,
        about: modeLabels[mode].about,
        isCurrent: mode === current,
      }))}
      onClose={closeDialog}
      onChoose={({ id }) => {
        closeDialog();
        const mode = permissionModes.find((one) => one === id);
        if (mode !== undefined) void client.send({ type: "set-mode", mode });
      }}
    />
  );
}

const themeWords: Readonly<Record<ThemeChoice, string>> = {
  auto: "as the system says",
  light: "dark text on a light ground",
  dark: "light text on a dark ground",
  "high-contrast": "the strongest contrast, on black",
};

export function ThemeDialog(): ReactNode {
  const current = useUi(({ theme }) => theme);
  return (
    <Picker
      title="Theme"
      placeholder="Choose a theme"
      empty=""
      rows={themes.map((theme) => ({
        id: theme,
        label: theme,
        about: themeWords[theme],
        isCurrent: theme === current,
      }))}
      onClose={closeDialog}
      onChoose={({ id }) =>
        changeUi({ theme: themes.find((theme) => theme === id) ?? "auto", dialog: undefined })
      }
    />
  );
}

/** Loads rows from the server and shows them as a list. */
function RemotePicker(props: {
  readonly title: string;
  readonly placeholder: string;
  readonly empty: string;
  readonly load: () => Promise<readonly PickerRow[]>;
  readonly onChoose: (row: PickerRow) => void;
}): ReactNode {
  const [rows] = useRemote(props.load);
  const empty = rows.kind === "loading" ? "Loading…" : rows.kind === "failed" ? rows.message : props.empty;
  return (
    <Picker
      title={props.title}
      placeholder={props.placeholder}
      empty={empty}
      rows={rows.kind === "value" ? rows.value : []}
      onClose={closeDialog}
      onChoose={(row) => {
        closeDialog();
        props.onChoose(row);
      }}
    />
  );
}

export function ModelDialog(): ReactNode {
  const client = useClient();
  const load = useMemo(
    () => async (): Promise<readonly PickerRow[]> => {
      const models = await client.call("listModels");
      return models.map((model) => ({
        id: model.name,
        label: model.name,
        isCurrent: model.current,
        about: modelFacts(model).join(" · "),
      }));
    },
    [client],
  );
  return (
    <RemotePicker
      title="Model"
      placeholder="Choose a model"
      empty="The server lists no models."
      load={load}
      onChoose={({ id }) =>
        void client.act(() => client.call("useModel", id)).then(() => client.refreshRooms())
      }
    />
  );
}

export function ForksDialog(): ReactNode {
  const client = useClient();
  const load = useMemo(
    () => async (): Promise<readonly PickerRow[]> =>
      (await client.call("listForks")).map(({ id, depth, name, current, messages }) => ({
        id,
        label: `${"· ".repeat(depth)}${name || "without a name"}`,
        about: countText(messages, "message"),
        isCurrent: current,
      })),
    [client],
  );
  return (
    <RemotePicker
      title="Branches of this session"
      placeholder="Choose a branch"
      empty="This session has no branches."
      load={load}
      onChoose={({ id }) => void client.open({ kind: "resume", id })}
    />
  );
}

/** Chooses one of the person's messages, to go back to before it. */
export function BranchDialog(): ReactNode {
  const client = useClient();
  const items = useSession((session) => session.items) ?? [];
  const messages = items.flatMap((item) => (item.kind === "user" && item.from === "person" ? [item] : []));
  return (
    <Picker
      title="Go back to before which message?"
      placeholder="Choose a message"
      empty="There is no message yet."
      rows={messages.toReversed().map(({ seq, text }) => ({
        id: String(seq),
        label: text.slice(0, 200),
        about: "you choose what goes back: files, conversation or both",
      }))}
      onClose={closeDialog}
      onChoose={(row) => {
        closeDialog();
        const message = messages.find(({ seq }) => String(seq) === row.id);
        if (message !== undefined) void goBack(client, message);
      }}
    />
  );
}

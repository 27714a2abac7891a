/** Shows the settings of this browser, and every setting of config.json, which the server checks when it is saved. */
import { type SettingField, visibleLine } from "@localharness/protocol";
import { type FormEvent, type ReactNode, useMemo, useRef, useState } from "react";
import { shownText } from "../markdown/shown-text.ts";
import { matching } from "../parts/match.ts";
import { Modal } from "../parts/modal.tsx";
import { Switch } from "../parts/switch.tsx";
import { closeDialog } from "./close-dialog.ts";
import { Loaded } from "./panels/loaded.tsx";
import { changeUi, themes } from "./ui.ts";
import { useClient, useSession, useUi } from "./use-client.ts";
import { useRemote } from "./use-remote.ts";

export function SettingsDialog(): ReactNode {
  const isOpen = useSession(() => true) === true;
  return (
    <Modal title="Settings" size="large" onClose={closeDialog}>
      <div className="min-h-0 flex-1 space-y-4 overflow-y-auto p-4">
        <OwnSettings />
        {isOpen ? (
          <ProgramSettings />
        ) : (
          <p className="text-dim">Open a session to see the settings of the program.</p>
        )}
      </div>
    </Modal>
  );
}

/** The settings of this browser. */
function OwnSettings(): ReactNode {
  const { theme, notifies, raw } = useUi((state) => state);
  const notify = async (on: boolean) => {
    const granted = on && (await Notification.requestPermission()) === "granted";
    changeUi({ notifies: granted });
  };
  return (
    <section aria-label="This browser" className="rows rounded-xl border border-line bg-surface">
      <Line title="Theme" about="of this browser">
        <select
          className="field w-auto"
          aria-label="Theme"
          value={theme}
          onChange={(event) =>
            changeUi({ theme: themes.find((one) => one === event.target.value) ?? "auto" })
          }
        >
          {themes.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Line>
      <Line title="Notifications" about="when a question waits, or a turn ends, while this page is hidden">
        <Switch label="Notifications" isOn={notifies} onChange={(on) => void notify(on)} />
      </Line>
      <Line title="Raw calls" about="shows calls and results as JSON">
        <Switch label="Raw calls" isOn={raw} onChange={(on) => changeUi({ raw: on })} />
      </Line>
    </section>
  );
}

function Line(props: {
  readonly title: string;
  readonly about: string;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <div className="flex items-center justify-between gap-4 px-4 py-2.5">
      <div className="min-w-0">
        <p className="font-medium">{props.title}</p>
        <p className="text-[12.5px] text-dim">{props.about}</p>
      </div>
      {props.children}
    </div>
  );
}

function ProgramSettings(): ReactNode {
  const client = useClient();
  const load = useMemo(() => async () => client.call("listSettings"), [client]);
  const [fields, reload] = useRemote(load);
  const [words, setWords] = useState("");
  return (
    <section aria-label="The program" className="space-y-2">
      <input
        type="search"
        className="field"
        placeholder="Search settings"
        aria-label="Search settings"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <p className="text-[12.5px] text-dim">Changes apply when the server is started again.</p>
      <Loaded of={fields}>
        {(list) => (
          <div className="rows rounded-xl border border-line bg-surface">
            {matching(
              list.map((field) => ({ ...field, label: field.key })),
              words,
            ).map((field) => (
              <Field key={field.key} field={field} reload={reload} />
            ))}
          </div>
        )}
      </Loaded>
    </section>
  );
}

/** Shows one setting. A value that contains a secret is shown masked, until the person chooses to edit it. */
function Field({ field, reload }: { readonly field: SettingField; readonly reload: () => void }): ReactNode {
  const client = useClient();
  const { key, value = "", shown = value, origin, unset, about, expected, choices } = field;
  const input = useRef<HTMLInputElement>(null);
  /** The text that the person edits; undefined if the person does not edit it. */
  const [text, setText] = useState<string>();
  const [message, setMessage] = useState("");
  const isMasked = text === undefined && shown !== value;
  const save = async (next: string) => {
    await client.act(async () => {
      const wrong = await client.call("changeSetting", key, next === "" ? undefined : next);
      setMessage(wrong ?? "");
      if (typeof wrong === "string") return;
      setText(undefined);
      reload();
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== undefined) void save(text);
  };
  const edit = () => {
    setText(value);
    input.current?.focus();
  };
  return (
    <form onSubmit={submit} className="grid gap-x-4 gap-y-1 px-4 py-2.5 sm:grid-cols-[minmax(0,1fr)_17rem]">
      <div className="min-w-0">
        <p className="font-mono text-[12.5px] font-medium">{visibleLine(key)}</p>
        <p className="text-[12.5px] text-dim">{shownText(about)}</p>
        <p className="text-[11.5px] text-dim">
          {`${visibleLine(expected)} · unset: ${visibleLine(unset)}`}
          {origin === "" ? "" : ` · from ${visibleLine(origin)}`}
        </p>
      </div>
      <div className="space-y-1">
        {choices === undefined ? (
          <input
            ref={input}
            className="field"
            aria-label={key}
            readOnly={isMasked}
            value={text ?? shown}
            onChange={(event) => setText(event.target.value)}
          />
        ) : (
          <select
            className="field"
            aria-label={key}
            value={value}
            onChange={(event) => void save(event.target.value)}
          >
            <option value="">not set</option>
            {choices.map((choice) => (
              <option key={choice}>{choice}</option>
            ))}
          </select>
        )}
        {message === "" ? null : (
          <p role="alert" className="text-[12.5px] text-bad">
            {shownText(message)}
          </p>
        )}
        {isMasked ? (
          <button type="button" className="button h-7" aria-label={`Edit ${key}`} onClick={edit}>
            Edit
          </button>
        ) : null}
        {text === undefined ? null : (
          <div className="flex gap-2">
            <button type="submit" className="button-strong h-7">
              Save
            </button>
            <button type="button" className="button h-7" onClick={() => setText(undefined)}>
              Cancel
            </button>
          </div>
        )}
      </div>
    </form>
  );
}

/** Shows the dialog that is open. */
import { type FormEvent, type ReactNode, useState } from "react";
import { shownText } from "../markdown/shown-text.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Modal } from "../parts/modal.tsx";
import { BranchDialog, ForksDialog, ModeDialog, ModelDialog, ThemeDialog } from "./choose-dialogs.tsx";
import { closeDialog } from "./close-dialog.ts";
import { KeysDialog } from "./keys-dialog.tsx";
import { PaletteDialog } from "./palette-dialog.tsx";
import { PhoneDialog } from "./phone-dialog.tsx";
import { SettingsDialog } from "./settings-dialog.tsx";
import type { OpenDialog } from "./ui.ts";
import { useUi } from "./use-client.ts";

export function Dialogs(): ReactNode {
  const dialog = useUi((state) => state.dialog);
  if (dialog === undefined) return null;
  switch (dialog.kind) {
    case "line":
      return <LineDialog dialog={dialog} />;
    case "confirm":
      return <ConfirmDialog dialog={dialog} />;
    case "rewind":
      return <RewindDialog dialog={dialog} />;
    case "text":
      return <TextDialog dialog={dialog} />;
    case "palette":
      return <PaletteDialog />;
    case "models":
      return <ModelDialog />;
    case "modes":
      return <ModeDialog />;
    case "themes":
      return <ThemeDialog />;
    case "forks":
      return <ForksDialog />;
    case "branch":
      return <BranchDialog />;
    case "keys":
      return <KeysDialog />;
    case "settings":
      return <SettingsDialog />;
    case "phone":
      return <PhoneDialog />;
  }
}

type DialogOf<Kind extends OpenDialog["kind"]> = Extract<OpenDialog, { readonly kind: Kind }>;

function LineDialog({ dialog }: { readonly dialog: DialogOf<"line"> }): ReactNode {
  const [text, setText] = useState(dialog.value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    closeDialog();
    dialog.done(text.trim());
  };
  return (
    <Modal title={dialog.title} onClose={closeDialog}>
      <form onSubmit={submit} className="space-y-3 p-4">
        <label className="block space-y-1">
          <span className="text-[12.5px] text-dim">{dialog.label}</span>
          {/* biome-ignore lint/a11y/noAutofocus: the dialog has only this field. */}
          <input className="field" autoFocus value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={closeDialog}>
            Cancel
          </button>
          <button type="submit" className="button-strong" disabled={text.trim() === ""}>
            Save
          </button>
        </div>
      </form>
    </Modal>
  );
}

function ConfirmDialog({ dialog }: { readonly dialog: DialogOf<"confirm"> }): ReactNode {
  const confirm = () => {
    closeDialog();
    dialog.done();
  };
  return (
    <Modal title={dialog.title} onClose={closeDialog}>
      <div className="space-y-4 p-4">
        <p className="max-h-[50vh] overflow-auto whitespace-pre-wrap [overflow-wrap:anywhere]">
          {shownText(dialog.text)}
        </p>
        <div className="flex justify-end gap-2">
          <CancelButton />
          <button type="button" className="button-bad" onClick={confirm}>
            {dialog.action}
          </button>
        </div>
      </div>
    </Modal>
  );
}

function CancelButton(): ReactNode {
  return (
    // biome-ignore lint/a11y/noAutofocus: Enter must not confirm by mistake.
    <button type="button" className="button" autoFocus onClick={closeDialog}>
      Cancel
    </button>
  );
}

const reaches = [
  ["files", "Files"],
  ["conversation", "Conversation"],
  ["both", "Files and conversation"],
] as const;

function RewindDialog({ dialog }: { readonly dialog: DialogOf<"rewind"> }): ReactNode {
  return (
    <Modal title={dialog.title} size="medium" onClose={closeDialog}>
      <div className="space-y-4 p-4">
        <pre className="pre max-h-[50vh] overflow-auto">{shownText(dialog.text)}</pre>
        <div className="flex flex-wrap justify-end gap-2">
          <CancelButton />
          {reaches.map(([reach, words]) => (
            <button
              key={reach}
              type="button"
              className="button"
              onClick={() => {
                closeDialog();
                dialog.done(reach);
              }}
            >
              {words}
            </button>
          ))}
        </div>
      </div>
    </Modal>
  );
}

function TextDialog({ dialog }: { readonly dialog: DialogOf<"text"> }): ReactNode {
  return (
    <Modal title={dialog.title} size="medium" onClose={closeDialog}>
      <div className="min-h-0 overflow-auto p-4">
        <pre className="pre">{shownText(dialog.text)}</pre>
      </div>
      <div className="flex justify-end border-t border-line p-2">
        <CopyButton text={dialog.text} what="the text" />
      </div>
    </Modal>
  );
}

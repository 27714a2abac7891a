/** The line below the message: images, mode, model, send or stop. */
import { type PermissionMode, visibleLine } from "@localharness/protocol";
import { type ReactNode, useRef } from "react";
import { Icon } from "../parts/icon.tsx";
import { modeLabels } from "./mode-words.ts";
import { changeUi } from "./ui.ts";
import { useClientState, useSession } from "./use-client.ts";
import type { HeldDraft } from "./use-draft.ts";

export function ComposerBar(props: {
  readonly isRunning: boolean;
  readonly draft: HeldDraft;
  readonly stop: () => void;
}): ReactNode {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className="flex items-center gap-0.5 px-2 pt-0.5 pb-2">
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={(event) => {
          void props.draft.addFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      <button
        type="button"
        className="icon-button"
        aria-label="Attach images"
        title="Attach images"
        onClick={() => chooser.current?.click()}
      >
        <Icon name="image" />
      </button>
      <ModeChip />
      <ModelChip />
      <div className="flex-1" />
      {props.isRunning ? (
        <button type="button" className="button h-8 rounded-xl" onClick={props.stop}>
          <Icon name="stop" /> Stop
        </button>
      ) : null}
      <button
        type="button"
        className="ml-1 inline-flex size-8 items-center justify-center rounded-xl bg-accent text-accent-ink transition-opacity disabled:bg-line disabled:text-dim"
        aria-label={props.isRunning ? "Send to the model with its next step" : "Send"}
        disabled={props.draft.text.trim() === "" || props.draft.isSending}
        onClick={() => void props.draft.send()}
      >
        <Icon name="send" />
      </button>
    </div>
  );
}

const modeLooks: Readonly<Partial<Record<PermissionMode, string>>> = {
  plan: "text-code-title",
  "accept-edits": "text-good",
  auto: "text-warn",
  bypass: "text-bad",
};

function ModeChip(): ReactNode {
  const mode = useMode();
  if (mode === undefined) return null;
  return (
    <button
      type="button"
      className={`chip ${modeLooks[mode] ?? ""}`}
      title="Permission mode (Alt+M: the next)"
      aria-label={`Permission mode: ${modeLabels[mode].name}`}
      onClick={() => changeUi({ dialog: { kind: "modes" } })}
    >
      <Icon name="shield" />
      {modeLabels[mode].name}
    </button>
  );
}

/**
 * Returns the mode of the shown session; undefined without a session. Until the session has begun, its mode is read
 * from the server's list of sessions.
 */
export function useMode(): PermissionMode | undefined {
  return useClientState(({ session, rooms }) =>
    session === undefined
      ? undefined
      : session.view.session === undefined
        ? rooms.find(({ id }) => id === session.id)?.mode
        : session.view.mode,
  );
}

function ModelChip(): ReactNode {
  const isOpen = useSession(() => true) === true;
  const model = useClientState(
    ({ session, rooms }) => rooms.find(({ id }) => id === session?.id)?.model ?? session?.view.session?.model,
  );
  if (!isOpen || model === undefined) return null;
  return (
    <button
      type="button"
      className="chip"
      title="Model"
      aria-label={`Model: ${visibleLine(model)}`}
      onClick={() => changeUi({ dialog: { kind: "models" } })}
    >
      <span className="max-w-[9rem] truncate sm:max-w-[16rem]">{visibleLine(model)}</span>
      <Icon name="down" className="size-3" />
    </button>
  );
}

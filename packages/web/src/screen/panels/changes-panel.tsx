/** The files that this session's tools changed, with their diffs, and undo and redo. */
import { type FileChange, visibleLine } from "@localharness/protocol";
import { type ReactNode, useMemo, useState } from "react";
import { shownText } from "../../markdown/shown-text.ts";
import { DiffView } from "../../parts/diff-view.tsx";
import { Icon } from "../../parts/icon.tsx";
import { redo, undo } from "../undo.ts";
import { useClient, useSession } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Empty, Loaded } from "./loaded.tsx";

export function ChangesPanel(): ReactNode {
  const client = useClient();
  const turn = useSession(({ view }) => (view.turn.running ? "" : view.turn.id)) ?? "";
  const load = useMemo(() => async () => client.call("listChanges"), [client]);
  const [changes, reload] = useRemote(load, turn);
  return (
    <div className="space-y-3">
      <div className="flex gap-2">
        <button type="button" className="button" onClick={() => void undo(client, 1, reload)}>
          <Icon name="undo" /> Undo the last turn
        </button>
        <button type="button" className="button" onClick={() => void redo(client).then(reload)}>
          <Icon name="redo" /> Redo
        </button>
      </div>
      <Loaded of={changes}>
        {({ files, notes }) => (
          <>
            {files.length === 0 ? <Empty>No tool has changed a file yet.</Empty> : null}
            {files.map((file) => (
              <Change key={file.path} file={file} />
            ))}
            {notes.map((note) => (
              <p key={note} className="text-[12.5px] text-dim">
                {shownText(note)}
              </p>
            ))}
          </>
        )}
      </Loaded>
    </div>
  );
}

function Change({ file }: { readonly file: FileChange }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="overflow-hidden rounded-xl border border-line bg-surface">
      <button
        type="button"
        className="flex w-full items-center gap-2 px-3 py-2 text-left hover:bg-sunken"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className="min-w-0 flex-1 truncate font-mono text-[12.5px]">{visibleLine(file.path)}</span>
        <span className="badge">{file.kind}</span>
        <span className="font-mono text-[11.5px]">
          <span className="text-good">+{file.added ?? 0}</span>{" "}
          <span className="text-bad">−{file.removed ?? 0}</span>
        </span>
      </button>
      {file.note === undefined ? null : (
        <p className="px-3 pb-2 text-[12px] text-dim">{shownText(file.note)}</p>
      )}
      {isOpen && file.diff !== undefined ? (
        <div className="border-t border-line p-2">
          <DiffView diff={file.diff} />
        </div>
      ) : null}
    </div>
  );
}

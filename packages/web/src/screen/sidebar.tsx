/** The list of sessions: those that are open here, and the saved ones, with search. */
import { agoText, countText, type RoomState, type SessionSummary, visibleLine } from "@localharness/protocol";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Icon } from "../parts/icon.tsx";
import { SessionMenu } from "./session-menu.tsx";
import { changeUi } from "./ui.ts";
import { useClient, useClientState, useSession } from "./use-client.ts";
import { useSessionName } from "./use-session-name.ts";

export function Sidebar(): ReactNode {
  const client = useClient();
  const open = () => {
    changeUi({ sidebar: false });
    client.leave();
    document.querySelector<HTMLTextAreaElement>("#message")?.focus();
  };
  return (
    <nav aria-label="Sessions" className="flex h-full flex-col border-r border-line bg-sunken">
      <div className="flex h-12 items-center gap-2.5 px-3.5">
        <img src="/icon.svg" alt="" className="size-6" />
        <span className="flex-1 text-[13.5px] font-semibold tracking-[-0.01em]">Local Harness</span>
        <button
          type="button"
          className="icon-button hover:bg-line"
          onClick={open}
          aria-label="New session"
          title="New session (Ctrl+Shift+O)"
        >
          <Icon name="plus" />
        </button>
      </div>
      <Search />
      <SessionList />
      <Footer />
    </nav>
  );
}

function Search(): ReactNode {
  const client = useClient();
  const [words, setWords] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => void client.search(words.trim()), words === "" ? 0 : 200);
    return () => clearTimeout(timer);
  }, [client, words]);
  return (
    <div className="px-3 pb-2">
      <input
        type="search"
        className="field"
        placeholder="Search sessions"
        aria-label="Search sessions"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
    </div>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly room: RoomState | undefined;
}

function SessionList(): ReactNode {
  const { saved, rooms, words } = useClientState((state) => state);
  const shown = useSession(({ id }) => id);
  const name = useSessionName();
  const rows = useMemo(
    () => rowsOf(saved, rooms, words, { id: shown, name }),
    [saved, rooms, words, shown, name],
  );
  if (rows.length === 0) {
    return (
      <p className="flex-1 px-4 py-3 text-[13px] text-dim">
        {words === "" ? "Your sessions will be listed here." : "No session contains these words."}
      </p>
    );
  }
  return (
    <ul className="min-h-0 flex-1 space-y-px overflow-y-auto px-2 pb-2">
      {rows.map((row) => (
        <SessionRow key={row.id} row={row} isShown={row.id === shown} />
      ))}
    </ul>
  );
}

function rowsOf(
  saved: readonly SessionSummary[],
  rooms: readonly RoomState[],
  words: string,
  current: { readonly id: string | undefined; readonly name: string },
): readonly Row[] {
  const roomOf = (id: string) => rooms.find((room) => room.id === id);
  const rows = saved.map(({ id, name, changed, messages, excerpt }) => ({
    id,
    name,
    about: excerpt ?? `${agoText(Date.now() - changed)} · ${countText(messages, "message")}`,
    room: roomOf(id),
  }));
  if (words !== "") return rows;
  // An open session that is not saved is listed while it runs, once it has two events, and while it is shown.
  const fresh = rooms.filter(
    ({ id, running, last }) =>
      !rows.some((row) => row.id === id) && (running || last > 1 || id === current.id),
  );
  const newRows = fresh.map((room) => ({
    id: room.id,
    name: room.id === current.id && current.name !== "" ? current.name : "New session",
    about: room.running ? "working" : "not begun",
    room,
  }));
  return [...newRows, ...rows];
}

function SessionRow({ row, isShown }: { readonly row: Row; readonly isShown: boolean }): ReactNode {
  const client = useClient();
  const { room } = row;
  const open = (event: React.MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    changeUi({ sidebar: false });
    if (!isShown) void client.open({ kind: "resume", id: row.id });
  };
  return (
    <li
      className={`group relative flex items-center rounded-lg ${isShown ? "bg-surface shadow-[0_0_0_1px_var(--line)]" : "hover:bg-line/50"}`}
    >
      <a
        href={`/s/${row.id}`}
        onClick={open}
        aria-current={isShown ? "page" : undefined}
        className="min-w-0 flex-1 rounded-lg py-1.5 pr-1 pl-2.5"
      >
        <span className="flex items-center gap-2">
          <span className="truncate text-[13px] font-medium">
            {visibleLine(row.name || "without a name")}
          </span>
          <Mark room={room} />
        </span>
        <span className="block truncate text-[11.5px] text-dim">{visibleLine(row.about)}</span>
      </a>
      <SessionMenu id={row.id} name={row.name} isOpen={room !== undefined} />
    </li>
  );
}

function Mark({ room }: { readonly room: RoomState | undefined }): ReactNode {
  if (room === undefined) return null;
  if (room.questions > 0) {
    return (
      <span className="rounded-full bg-accent px-1.5 text-[11px] font-semibold text-accent-ink">asks</span>
    );
  }
  if (!room.running) return null;
  return (
    <span className="size-2 shrink-0 animate-pulse rounded-full bg-good">
      <span className="sr-only">works</span>
    </span>
  );
}

function Footer(): ReactNode {
  return (
    <div className="flex items-center gap-0.5 border-t border-line px-2 py-1.5">
      <FooterButton label="Settings" icon="gear" onClick={() => changeUi({ dialog: { kind: "settings" } })} />
      <FooterButton
        label="Pair a phone"
        icon="phone"
        onClick={() => changeUi({ dialog: { kind: "phone" } })}
      />
      <FooterButton label="Keys (?)" icon="keyboard" onClick={() => changeUi({ dialog: { kind: "keys" } })} />
    </div>
  );
}

function FooterButton(props: {
  readonly label: string;
  readonly icon: "gear" | "phone" | "keyboard";
  readonly onClick: () => void;
}): ReactNode {
  return (
    <button
      type="button"
      className="icon-button hover:bg-line"
      aria-label={props.label}
      title={props.label}
      onClick={props.onClick}
    >
      <Icon name={props.icon} />
    </button>
  );
}

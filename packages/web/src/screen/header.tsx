/** The line above the transcript: the session's name, the state of the connection, and what can be opened. */
import { tokensText, visibleLine } from "@localharness/protocol";
import type { ReactNode } from "react";
import { Icon } from "../parts/icon.tsx";
import { changeUi, ui } from "./ui.ts";
import { useClient, useClientState, useSession, useUi } from "./use-client.ts";
import { useSessionName } from "./use-session-name.ts";

export function Header(): ReactNode {
  const name = useSessionName();
  const workspace = useClientState(({ facts }) => facts?.workspace ?? "");
  return (
    <header className="border-b border-line">
      <div className="flex h-12 items-center gap-1 px-2 sm:px-3">
        <button
          type="button"
          className="icon-button lg:hidden"
          aria-label="Sessions"
          onClick={() => changeUi({ sidebar: true })}
        >
          <Icon name="menu" />
        </button>
        <div className="min-w-0 flex-1 px-1">
          <h1 className="truncate text-[13.5px] font-semibold">
            {name === "" ? "New session" : visibleLine(name)}
          </h1>
          <p className="truncate font-mono text-[11px] text-dim" title={visibleLine(workspace)}>
            {visibleLine(workspace)}
          </p>
        </div>
        <Meter />
        <button
          type="button"
          className="icon-button"
          aria-label="All commands (Ctrl+K)"
          title="All commands (Ctrl+K)"
          onClick={() => changeUi({ dialog: { kind: "palette" } })}
        >
          <Icon name="search" />
        </button>
        <PanelButton />
      </div>
      <Offline />
    </header>
  );
}

function PanelButton(): ReactNode {
  const isOpen = useUi(({ panel }) => panel !== undefined);
  return (
    <button
      type="button"
      className={`icon-button ${isOpen ? "bg-sunken text-ink" : ""}`}
      aria-label="Panel"
      aria-expanded={isOpen}
      title="Files, changes, tasks, tools"
      onClick={() => changeUi({ panel: ui.get().panel === undefined ? "files" : undefined })}
    >
      <Icon name="panel" />
    </button>
  );
}

/** Shows how full the context window is. */
function Meter(): ReactNode {
  const used = useSession(({ windowUsed }) => windowUsed);
  const size = useSession(({ view }) => view.usage.contextWindow);
  if (used === undefined) return null;
  const share = size === undefined ? undefined : Math.min(1, used / size);
  const text = size === undefined ? tokensText(used) : `${Math.round((share ?? 0) * 100)} %`;
  const full = size === undefined ? `${used} tokens` : `${tokensText(used)} of ${tokensText(size)} tokens`;
  return (
    <button
      type="button"
      className="chip"
      title={`Context window: ${full}`}
      onClick={() => changeUi({ panel: "context" })}
    >
      <svg viewBox="0 0 16 16" className="size-4 -rotate-90" aria-hidden="true">
        <circle cx="8" cy="8" r="6" fill="none" stroke="var(--line)" strokeWidth="2.500" />
        <circle
          cx="8"
          cy="8"
          r="6"
          fill="none"
          stroke={share !== undefined && share > 0.8 ? "var(--warn)" : "var(--accent)"}
          strokeWidth="2.500"
          strokeDasharray={`${(share ?? 0.05) * 37.7} 37.7`}
        />
      </svg>
      <span className="sr-only">Context window:</span>
      {text}
    </button>
  );
}

function Offline(): ReactNode {
  const link = useClientState((state) => state.link);
  if (link === "foreign") return <Foreign />;
  if (link !== "lost") return null;
  return (
    <p role="alert" className="flex items-center gap-2 bg-warn-soft px-4 py-1.5 text-[13px] text-warn">
      <Icon name="warn" />
      No connection to the server. It goes on working; this page continues as soon as it is back.
    </p>
  );
}

function Foreign(): ReactNode {
  const client = useClient();
  return (
    <p role="alert" className="flex items-center gap-2 bg-bad-soft px-4 py-1.5 text-[13px] text-bad">
      <Icon name="warn" />
      <span>
        Another program answers at this address, or the keys were replaced: nothing was sent to it. This page
        continues as soon as the server is back.
      </span>
      <button type="button" className="button ml-auto shrink-0" onClick={() => client.api.pairAgain("")}>
        Pair again
      </button>
    </p>
  );
}

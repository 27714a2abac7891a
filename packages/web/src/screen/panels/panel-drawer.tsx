/** The panel beside the session: one tab for each thing that can be looked at while the model works. */
import { type ReactNode, useRef } from "react";
import { Icon } from "../../parts/icon.tsx";
import { changeUi, type Panel, panels } from "../ui.ts";
import { useSession, useUi } from "../use-client.ts";
import { ChangesPanel } from "./changes-panel.tsx";
import { ContextPanel } from "./context-panel.tsx";
import { FilesPanel } from "./files-panel.tsx";
import { JobsPanel } from "./jobs-panel.tsx";
import { RulesPanel } from "./rules-panel.tsx";
import { ServersPanel } from "./servers-panel.tsx";
import { TasksPanel } from "./tasks-panel.tsx";
import { ToolsPanel } from "./tools-panel.tsx";

const views: Readonly<Record<Panel, { readonly title: string; readonly View: () => ReactNode }>> = {
  files: { title: "Files", View: FilesPanel },
  changes: { title: "Changes", View: ChangesPanel },
  tasks: { title: "Tasks", View: TasksPanel },
  context: { title: "Context", View: ContextPanel },
  tools: { title: "Tools", View: ToolsPanel },
  servers: { title: "MCP", View: ServersPanel },
  jobs: { title: "Jobs", View: JobsPanel },
  rules: { title: "Rules", View: RulesPanel },
};

export function PanelDrawer(): ReactNode {
  const panel = useUi((state) => state.panel);
  const id = useSession((session) => session.id);
  if (panel === undefined) return null;
  const { title, View } = views[panel];
  return (
    <aside
      aria-label="Panel"
      className="fixed inset-y-0 right-0 z-20 flex w-[26rem] max-w-full flex-col border-l border-line bg-canvas shadow-lift xl:static xl:shadow-none"
    >
      <div className="flex h-12 shrink-0 items-center border-b border-line pr-2 pl-1.5">
        <Tabs panel={panel} />
        <button
          type="button"
          className="icon-button"
          aria-label="Close the panel"
          onClick={() => changeUi({ panel: undefined })}
        >
          <Icon name="cross" />
        </button>
      </div>
      <div
        role="tabpanel"
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-3"
      >
        {id === undefined && panel !== "files" ? (
          <p className="text-dim">Open a session, or send a first message.</p>
        ) : (
          <View key={id} />
        )}
      </div>
    </aside>
  );
}

function Tabs({ panel }: { readonly panel: Panel }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: React.KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const next = panels.at((panels.indexOf(panel) + by + panels.length) % panels.length);
    changeUi({ panel: next });
    place.current?.querySelector<HTMLElement>(`[data-panel="${next}"]`)?.focus();
  };
  return (
    <div
      ref={place}
      role="tablist"
      aria-label="Panels"
      className="flex min-w-0 flex-1 overflow-x-auto [scrollbar-width:none]"
      onKeyDown={onKeyDown}
    >
      {panels.map((one) => (
        <button
          key={one}
          type="button"
          role="tab"
          data-panel={one}
          aria-selected={one === panel}
          tabIndex={one === panel ? 0 : -1}
          className={`shrink-0 rounded-lg px-1 py-1 text-[12.5px] ${one === panel ? "bg-sunken font-medium text-ink" : "text-dim hover:text-ink"}`}
          onClick={() => changeUi({ panel: one })}
        >
          {views[one].title}
        </button>
      ))}
    </div>
  );
}

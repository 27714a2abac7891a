/** The commands in the background. */
import { timeText, visibleLine } from "@localharness/protocol";
import { type ReactNode, useMemo } from "react";
import { changeUi } from "../ui.ts";
import { useClient } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Empty, Loaded } from "./loaded.tsx";

export function JobsPanel(): ReactNode {
  const client = useClient();
  const load = useMemo(() => async () => client.call("listJobs"), [client]);
  const [jobs, reload] = useRemote(load);
  const askEnd = (id: string, command: string) =>
    changeUi({
      dialog: {
        kind: "confirm",
        title: "End this command?",
        text: command.slice(0, 500),
        action: "End it",
        done: () => void client.act(() => client.call("endJob", id)).then(reload),
      },
    });
  return (
    <div className="space-y-2">
      <button type="button" className="button" onClick={reload}>
        Refresh
      </button>
      <Loaded of={jobs}>
        {(list) =>
          list.length === 0 ? (
            <Empty>No command runs in the background.</Empty>
          ) : (
            list.map(({ id, command, state, running, ageMs, lastLine }) => (
              <article key={id} className="space-y-1 rounded-xl border border-line bg-surface px-3 py-2">
                <p className="font-mono text-[12.5px] [overflow-wrap:anywhere]">{visibleLine(command)}</p>
                <p className="text-[12px] text-dim">{`${visibleLine(state)} · ${timeText(ageMs)}`}</p>
                <p className="truncate font-mono text-[12px] text-dim">{visibleLine(lastLine)}</p>
                {running ? (
                  <button type="button" className="button-bad" onClick={() => askEnd(id, command)}>
                    End
                  </button>
                ) : null}
              </article>
            ))
          )
        }
      </Loaded>
    </div>
  );
}

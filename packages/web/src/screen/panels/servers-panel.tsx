/** The configured MCP servers and their state. */
import { type ServerSummary, visibleLine } from "@localharness/protocol";
import { type ReactNode, useMemo } from "react";
import { shownText } from "../../markdown/shown-text.ts";
import { useClient } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Empty, Loaded } from "./loaded.tsx";

export function ServersPanel(): ReactNode {
  const client = useClient();
  const load = useMemo(() => async () => client.call("listServers"), [client]);
  const [servers, reload] = useRemote(load);
  return (
    <div className="space-y-2">
      <button type="button" className="button" onClick={reload}>
        Refresh
      </button>
      <Loaded of={servers}>
        {(list) =>
          list.length === 0 ? (
            <Empty>
              No MCP server is configured. <code>localharness mcp add NAME -- COMMAND</code> adds one.
            </Empty>
          ) : (
            list.map((server) => <Server key={server.name} server={server} />)
          )
        }
      </Loaded>
    </div>
  );
}

function Server({ server }: { readonly server: ServerSummary }): ReactNode {
  const { name, state, running, tools, problems, logs } = server;
  return (
    <article className="space-y-1.5 rounded-xl border border-line bg-surface px-3 py-2.5">
      <h2 className="flex items-center gap-2 font-medium">
        <span
          className={`size-2 rounded-full ${running ? "bg-good" : "bg-line-strong"}`}
          aria-hidden="true"
        />
        {visibleLine(name)}
      </h2>
      <p className="text-[12.5px] text-dim">{visibleLine(state)}</p>
      {problems.map((problem) => (
        <p key={problem} className="text-[12.5px] text-warn">
          {visibleLine(problem)}
        </p>
      ))}
      {tools.length === 0 ? null : (
        <p className="font-mono text-[12px]">{tools.map(visibleLine).join(", ")}</p>
      )}
      {logs.length === 0 ? null : (
        <details className="text-[12px] text-dim">
          <summary>Log</summary>
          <pre className="pre mt-1 max-h-48">{shownText(logs.join("\n"))}</pre>
        </details>
      )}
    </article>
  );
}

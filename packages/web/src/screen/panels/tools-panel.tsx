/** The tools of the session: what each does, its risk, and a switch. */
import { type ToolScope, toolScopes, toolScopeText, visibleLine } from "@localharness/protocol";
import { type ReactNode, useMemo, useState } from "react";
import { Switch } from "../../parts/switch.tsx";
import { useClient } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Loaded } from "./loaded.tsx";

const riskLooks: Readonly<Record<string, string>> = {
  high: "border-bad text-bad",
  medium: "border-warn text-warn",
};

export function ToolsPanel(): ReactNode {
  const client = useClient();
  const load = useMemo(() => async () => client.call("listTools"), [client]);
  const [tools, reload] = useRemote(load);
  const [words, setWords] = useState("");
  const [scope, setScope] = useState<ToolScope>("session");
  const flip = async (name: string, on: boolean) => {
    await client.act(() => client.call("switchTool", name, on, scope));
    reload();
  };
  return (
    <div className="space-y-2">
      <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1 text-[12.5px]">
        <legend className="text-dim">A switch holds from the next message on,</legend>
        {toolScopes.map((one) => (
          <label key={one} className="flex items-center gap-1.5">
            <input
              type="radio"
              name="scope"
              className="accent-accent"
              checked={one === scope}
              onChange={() => setScope(one)}
            />
            {toolScopeText(one)}
          </label>
        ))}
      </fieldset>
      <input
        type="search"
        className="field"
        placeholder="Filter tools"
        aria-label="Filter tools"
        value={words}
        onChange={(event) => setWords(event.target.value)}
      />
      <Loaded of={tools}>
        {(list) => (
          <ul className="rows rounded-xl border border-line bg-surface">
            {list
              .filter(({ name, about }) => `${name} ${about}`.toLowerCase().includes(words.toLowerCase()))
              .map(({ name, about, risk, on }) => (
                <li key={name} className="flex items-start gap-3 px-3 py-2">
                  <div className="min-w-0 flex-1">
                    <p className="flex flex-wrap items-center gap-2">
                      <span className="font-mono text-[12.5px] font-medium">{visibleLine(name)}</span>
                      <span className={`badge ${riskLooks[risk] ?? ""}`}>{visibleLine(risk)}</span>
                    </p>
                    <p className="line-clamp-3 text-[12px] text-dim">{visibleLine(about)}</p>
                  </div>
                  <Switch label={visibleLine(name)} isOn={on} onChange={(next) => void flip(name, next)} />
                </li>
              ))}
          </ul>
        )}
      </Loaded>
    </div>
  );
}

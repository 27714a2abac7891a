/** Shows the parts that fill the context window, and the costs of the session. */
import {
  type ContextPart,
  type CostReport,
  countText,
  sizeText,
  timeText,
  tokensText,
  visibleLine,
} from "@localharness/protocol";
import { type ReactNode, useMemo } from "react";
import { useClient, useSession } from "../use-client.ts";
import { useRemote } from "../use-remote.ts";
import { Loaded } from "./loaded.tsx";

export function ContextPanel(): ReactNode {
  const client = useClient();
  const turn = useSession(({ view }) => (view.turn.running ? "" : view.turn.id)) ?? "";
  const isRunning = useSession(({ view }) => view.turn.running) === true;
  const load = useMemo(
    () => async () => {
      const [parts, exact, costs] = await Promise.all([
        client.call("listContext"),
        client.call("countContext"),
        client.call("listCosts"),
      ]);
      return { parts, exact: exact ?? undefined, costs };
    },
    [client],
  );
  const [loaded] = useRemote(load, turn);
  return (
    <Loaded of={loaded}>
      {({ parts, exact, costs }) => (
        <div className="space-y-5">
          <Parts parts={parts} exact={exact} />
          <button
            type="button"
            className="button"
            disabled={isRunning}
            onClick={() => void client.send({ type: "compact" })}
          >
            Make room
          </button>
          <Costs costs={costs} />
        </div>
      )}
    </Loaded>
  );
}

function Parts({
  parts,
  exact,
}: {
  readonly parts: readonly ContextPart[];
  readonly exact: number | undefined;
}): ReactNode {
  const used = useSession(({ windowUsed }) => windowUsed);
  const size = useSession(({ view }) => view.usage.contextWindow);
  const sum = parts.reduce((tokens, part) => tokens + part.tokens, 0);
  const most = Math.max(1, ...parts.map(({ tokens }) => tokens));
  const count = exact ?? used;
  return (
    <section className="space-y-2" aria-label="Parts of the prompt">
      <p>
        <strong className="text-[20px] font-semibold tracking-tight">{tokensText(count ?? sum)}</strong>{" "}
        <span className="text-dim">
          {size === undefined ? "tokens" : `of ${tokensText(size)} tokens`}
          {count === undefined ? ", estimated" : ", counted by the server"}
        </span>
      </p>
      <ul className="space-y-1.5">
        {parts.map(({ name, bytes, tokens }) => (
          <li key={name} className="text-[12.5px]">
            <span className="flex justify-between gap-2">
              <span className="truncate">{visibleLine(name)}</span>
              <span className="shrink-0 text-dim tabular-nums">{`≈ ${tokensText(tokens)} · ${sizeText(bytes)}`}</span>
            </span>
            <progress
              className="h-1 w-full appearance-none overflow-hidden rounded bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
              max={most}
              value={tokens}
              aria-label={visibleLine(name)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Costs({ costs }: { readonly costs: CostReport }): ReactNode {
  return (
    <section className="space-y-1.5 text-[12.5px]" aria-label="Cost">
      <h2 className="font-semibold">Since the session was opened</h2>
      {costs.models.map(({ model, requests, inputTokens, cachedTokens, outputTokens, ms }) => (
        <p key={model} className="text-dim">
          <span className="text-ink">{visibleLine(model)}</span>
          {`: ${countText(requests, "request")}, ${tokensText(inputTokens)} tokens in (${tokensText(cachedTokens)} from cache), ${tokensText(outputTokens)} out, ${timeText(ms)}`}
        </p>
      ))}
      <p className="text-dim">{`${costs.toolCalls} tool calls, ${timeText(costs.toolMs)}`}</p>
      {costs.money === undefined ? null : <p>{`Cost: ${costs.money.toFixed(4)}`}</p>}
    </section>
  );
}

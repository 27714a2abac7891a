/** Says how a turn ended, and offers to undo its changes of files. */
import { countText, type ItemOf, timeText } from "@localharness/protocol";
import type { ReactNode } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { shownText } from "../markdown/shown-text.ts";
import { Icon } from "../parts/icon.tsx";
import { redo, undo } from "./undo.ts";
import { useClient, useSession } from "./use-client.ts";

export function TurnEnd({ item }: { readonly item: ItemOf<"end"> }): ReactNode {
  const client = useClient();
  const isLast = useSession(({ items }) => items.findLast(({ kind }) => kind === "end")?.key === item.key);
  const facts = factsOf(item);
  return (
    <div className="text-[12.5px] text-dim">
      {item.plan === undefined ? null : <Markdown text={item.plan} />}
      <EndReason item={item} />
      <div className="flex min-h-8 flex-wrap items-center gap-x-2">
        <span>{facts}</span>
        {item.changes > 0 && isLast === true ? (
          <>
            <button type="button" className="chip" onClick={() => void undo(client)}>
              <Icon name="undo" /> Undo the changes
            </button>
            <button type="button" className="chip" onClick={() => void redo(client)}>
              <Icon name="redo" /> Redo
            </button>
          </>
        ) : null}
      </div>
    </div>
  );
}

function factsOf({ calls, changes, denied, ms }: ItemOf<"end">): string {
  return [
    ...(ms === undefined ? [] : [timeText(ms)]),
    ...(calls === 0 ? [] : [countText(calls, "call")]),
    ...(changes === 0 ? [] : [countText(changes, "file change")]),
    ...(denied === 0 ? [] : [`${denied} denied`]),
  ].join(" · ");
}

function EndReason({ item }: { readonly item: ItemOf<"end"> }): ReactNode {
  const client = useClient();
  switch (item.reason) {
    case "done":
      return null;
    case "interrupted":
      return <p className="text-warn">Interrupted.</p>;
    case "error":
      return (
        <p
          role="alert"
          className="mt-1 rounded-lg bg-bad-soft px-3 py-2 text-[13px] whitespace-pre-wrap text-bad [overflow-wrap:anywhere]"
        >
          {shownText(item.message ?? "An unknown error ended the turn.")}
        </p>
      );
    case "iteration-limit":
    case "loop":
      return (
        <p className="text-warn">
          {item.reason === "loop"
            ? "The turn ended: several steps brought no progress. "
            : "The turn met its limit of steps. "}
          <button
            type="button"
            className="underline underline-offset-2"
            onClick={() => void client.submit({ text: "go on", images: [] })}
          >
            Go on
          </button>
        </p>
      );
  }
}

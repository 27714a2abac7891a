/** Says what the turn does now, below the last item. */
import { promptProgressText, visibleLine } from "@localharness/protocol";
import { type ReactNode, useEffect, useState } from "react";
import type { SessionState } from "../session/session-state.ts";
import { useSession } from "./use-client.ts";

export function WorkingLine(): ReactNode {
  const text = useSession(doing) ?? "";
  const isRunning = useSession(({ view }) => view.turn.running) === true;
  const waiting = useSession((session) => session.waiting) ?? [];
  if (!isRunning) return null;
  return (
    <div className="pt-4">
      {waiting.map((message, at) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: the same message may wait twice.
          key={at}
          className="mb-2 ml-auto w-fit max-w-[85%] rounded-2xl border border-dashed border-line-strong px-3.5 py-2 text-dim"
        >
          <span className="block text-[11px] font-medium">goes to the model with its next step</span>
          <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            {visibleLine(message.slice(0, 400))}
          </span>
        </p>
      ))}
      <p className="flex items-center gap-2 text-[12.5px] text-dim">
        <span className="size-2 animate-pulse rounded-full bg-accent" aria-hidden="true" />
        {text}
        <Seconds key={text} />
      </p>
    </div>
  );
}

function Seconds(): ReactNode {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((before) => before + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return seconds < 3 ? null : <span className="tabular-nums">{seconds} s</span>;
}

function doing({ view, questions, activity }: SessionState): string {
  if (questions.length > 0 || view.question !== undefined) return "waits for your answer";
  switch (activity?.kind) {
    case "reading":
      return promptProgressText(activity.progress);
    case "thinking":
      return "thinking";
    case "answering":
      return "writing";
    case "writing-call":
      return `writing a call of ${visibleLine(activity.toolName)}`;
    case "running":
      return `running ${visibleLine(activity.toolNames.slice(0, 3).join(", "))}`;
    default:
      return "waiting for the model";
  }
}

/** Shows one tool call: a line with the state of the call and, when the card is opened, what the call did. */
import {
  type CallItem,
  countDiff,
  judgedLine,
  judgedText,
  readCommandEnd,
  sizeText,
  timeText,
} from "@localharness/protocol";
import { memo, type ReactNode } from "react";
import { shownOutput, shownText } from "../markdown/shown-text.ts";
import { DiffView } from "../parts/diff-view.tsx";
import { Icon } from "../parts/icon.tsx";
import {
  answerWords,
  argumentsOf,
  type CallLook,
  callView,
  lookOf,
  shownArguments,
  summaryOf,
} from "../session/call-view.ts";
import { ArgumentText } from "./argument-text.tsx";
import { ResultView } from "./result-view.tsx";
import { useUi } from "./use-client.ts";
import { useOpened } from "./use-opened.ts";

/** The maximum number of lines of a diff that is shown without opening the card. */
const shortDiffLines = 24;

const words: Readonly<Record<CallLook, string>> = {
  writing: "being written",
  waiting: "waits",
  asked: "asks you",
  running: "runs",
  done: "done",
  failed: "failed",
  denied: "denied",
};

export const CallCard = memo(function CallCard({ item }: { readonly item: CallItem }): ReactNode {
  const raw = useUi((state) => state.raw);
  const look = lookOf(item);
  const [isOpen, setOpen] = useOpened(item.key, isShortDiff(item));
  return (
    <div
      className={`overflow-hidden rounded-xl border bg-surface ${look === "asked" ? "border-accent" : "border-line"}`}
      data-call={item.toolName}
      data-look={look}
    >
      <button
        type="button"
        className="flex w-full items-center gap-2.5 px-3 py-2 text-left hover:bg-sunken"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Mark look={look} />
        <span className="judged shrink-0 font-mono text-[12.5px] font-medium">
          {judgedLine(item.toolName.slice(0, 80))}
        </span>
        <span className="judged min-w-0 flex-1 truncate font-mono text-[12px] text-dim">
          {judgedLine(summaryOf(item))}
        </span>
        <span className="sr-only">{words[look]}</span>
        <Facts item={item} look={look} />
        <Icon name="chevron" className={`text-dim transition-transform ${isOpen ? "rotate-90" : ""}`} />
      </button>
      <Answer item={item} />
      {item.state === "running" ? <Progress item={item} /> : null}
      {(look === "failed" || look === "denied") && !isOpen ? <Failure item={item} /> : null}
      {isOpen ? (
        <div className="space-y-2 border-t border-line p-3">
          {raw ? <Raw item={item} /> : <Body item={item} />}
        </div>
      ) : null}
    </div>
  );
});

function isShortDiff({ diff, state, result }: CallItem): boolean {
  if (diff === undefined || state !== "done" || result?.success !== true) return false;
  return diff.split("\n", shortDiffLines + 1).length <= shortDiffLines;
}

function Mark({ look }: { readonly look: CallLook }): ReactNode {
  switch (look) {
    case "done":
      return <Icon name="check" className="text-good" />;
    case "failed":
      return <Icon name="cross" className="text-bad" />;
    case "denied":
      return <Icon name="shield" className="text-bad" />;
    case "asked":
      return <Icon name="shield" className="text-accent" />;
    case "running":
    case "writing":
      return (
        <span className="flex size-4 items-center justify-center" aria-hidden="true">
          <span className="size-3 animate-spin rounded-full border-2 border-line-strong border-t-accent" />
        </span>
      );
    case "waiting":
      return <span className="mx-1 size-2 rounded-full border border-line-strong" aria-hidden="true" />;
  }
}

function Facts({ item, look }: { readonly item: CallItem; readonly look: CallLook }): ReactNode {
  const { result, diff } = item;
  if (look === "asked" || look === "running" || look === "denied") {
    return <span className="shrink-0 text-[11.5px] text-dim">{words[look]}</span>;
  }
  if (result === undefined) return null;
  const counts = diff === undefined ? undefined : countDiff(diff);
  const { execution_time_ms: ms, data_size_bytes: bytes } = result.metadata;
  const whole = item.toolName === "bash" ? readCommandEnd(result.data ?? "").wholeBytes : undefined;
  return (
    <span className="flex shrink-0 items-center gap-2 text-[11.5px] text-dim tabular-nums">
      {counts === undefined ? null : (
        <span className="font-mono">
          <span className="text-good">+{counts.added}</span>{" "}
          <span className="text-bad">−{counts.removed}</span>
        </span>
      )}
      {item.format === undefined || item.format === "native" ? null : (
        <span
          className="badge max-sm:hidden"
          title={`Read from the model's text, format ${shownText(item.format)}`}
        >
          text
        </span>
      )}
      <span className="max-sm:hidden">
        {whole === undefined ? sizeText(bytes) : `${sizeText(whole)}, shown in part`}
      </span>
      <span>{timeText(ms)}</span>
    </span>
  );
}

function Answer({ item }: { readonly item: CallItem }): ReactNode {
  const { answer, answeredBy, note } = item;
  if (answer === undefined) return null;
  const by = answeredBy === undefined ? "" : ` by ${judgedLine(answeredBy)}`;
  return (
    <p className="truncate px-3 pb-2 pl-[2.4rem] text-[11.5px] text-dim">
      {`${answerWords[answer]}${by}`}
      {note === undefined || note === "" ? "" : `: “${judgedLine(note)}”`}
    </p>
  );
}

function Progress({ item }: { readonly item: CallItem }): ReactNode {
  const who = item.agent === undefined ? "" : `${item.agent}: `;
  const lines = shownOutput(who + item.progress.slice(-4_000))
    .trimEnd()
    .split("\n")
    .slice(-6);
  if (item.progress.trim() === "") return null;
  return <pre className="pre border-t border-line bg-sunken px-3 py-2 text-dim">{lines.join("\n")}</pre>;
}

function Failure({ item }: { readonly item: CallItem }): ReactNode {
  const view = callView(item);
  const told = item.why ?? (view.kind === "terminal" ? tail(view.output, view.end) : "");
  if (told === "") return null;
  return (
    <pre className="pre max-h-40 border-t border-line px-3 py-2 text-dim">
      {shownOutput(told.slice(0, 2_000))}
    </pre>
  );
}

function tail(output: string, end: string): string {
  return [...output.slice(-2_000).split("\n").slice(-6), end].join("\n").trim();
}

function Body({ item }: { readonly item: CallItem }): ReactNode {
  const { result, diff, notes } = item;
  const shownNotes = [...notes, ...(result?.notes ?? [])];
  return (
    <>
      {item.toolName === "bash" ? null : <Arguments item={item} />}
      {diff === undefined ? null : <DiffView diff={diff} />}
      {result?.error_message ? (
        <pre className="pre rounded-lg bg-bad-soft px-3 py-2 text-bad">
          {shownOutput(result.error_message)}
        </pre>
      ) : null}
      {result?.data && (diff === undefined || !result.success) ? <ResultView item={item} /> : null}
      {shownNotes.length === 0 ? null : (
        <ul className="list-disc space-y-0.5 pl-5 text-[12px] text-dim">
          {shownNotes.map((note) => (
            <li key={note}>{shownText(note)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

function Arguments({ item }: { readonly item: CallItem }): ReactNode {
  const isRead = Object.keys(argumentsOf(item)).length > 0;
  const unread = !isRead && typeof item.arguments === "string" ? item.arguments : "";
  if (unread !== "") {
    return <pre className="pre judged max-h-64 text-dim">{judgedText(unread.slice(0, 32_000))}</pre>;
  }
  const shown = shownArguments(item);
  if (shown.length === 0) return null;
  return (
    <ul className="space-y-0.5">
      {shown.map((text) => (
        <li key={text} className="pre judged max-h-48">
          <ArgumentText text={text} />
        </li>
      ))}
    </ul>
  );
}

function Raw({ item }: { readonly item: CallItem }): ReactNode {
  const call = { id: item.callId, name: item.toolName, arguments: item.arguments };
  const json = [call, ...(item.result === undefined ? [] : [item.result])]
    .map((value) => JSON.stringify(value, null, 2).slice(0, 100_000))
    .join("\n");
  return <pre className="pre judged max-h-96">{judgedText(json)}</pre>;
}

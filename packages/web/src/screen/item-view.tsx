/** Shows one item of the transcript. */
import { type Item, type ItemOf, imageLine, type QuestionAction, timeText } from "@localharness/protocol";
import { memo, type ReactNode } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { shownOutput, shownText } from "../markdown/shown-text.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { CallCard } from "./call-card.tsx";
import { TurnEnd } from "./turn-end.tsx";
import { useOpened } from "./use-opened.ts";
import { UserMessage } from "./user-message.tsx";

export const ItemView = memo(function ItemView({ item }: { readonly item: Item }): ReactNode {
  switch (item.kind) {
    case "user":
      return item.from === "person" ? <UserMessage item={item} /> : <Note item={item} />;
    case "answer":
      return <Answer item={item} />;
    case "thought":
      return <Thought item={item} />;
    case "call":
      return <CallCard item={item} />;
    case "notice":
      return <Notice level={item.level} text={item.text} />;
    case "unreadable": {
      const text = `A tool call that cannot be read (${item.reason}): ${item.message}`;
      return <Notice level="warning" text={text} raw={item.raw} />;
    }
    case "question":
      return <Notice level="info" text={settledText(item)} />;
    case "end":
      return <TurnEnd item={item} />;
    case "command":
      return <OwnCommand item={item} />;
  }
});

function Answer({ item }: { readonly item: ItemOf<"answer"> }): ReactNode {
  return (
    <article aria-label="Answer" className="group relative">
      <Markdown text={item.text} live={item.live} />
      {item.partial === undefined ? null : (
        <p className="mt-1 text-[12px] text-warn">
          {item.partial === "interrupted" ? "Interrupted here." : "An error ended the answer here."}
        </p>
      )}
      {item.live ? null : (
        <div className="absolute -top-1 -right-9 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-xl:hidden">
          <CopyButton text={item.text} what="the answer" />
        </div>
      )}
    </article>
  );
}

function Thought({ item }: { readonly item: ItemOf<"thought"> }): ReactNode {
  const [isOpen, setOpen] = useOpened(item.key, false);
  const title = item.live
    ? "Thinking"
    : item.ms === undefined
      ? "Thought"
      : `Thought for ${timeText(item.ms)}`;
  return (
    <div>
      <button
        type="button"
        className="flex items-center gap-2 rounded-lg py-0.5 pr-2 text-[12.5px] text-dim hover:text-ink"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="bulb" />
        {title}
        <Icon name="chevron" className={`transition-transform ${isOpen ? "rotate-90" : ""}`} />
      </button>
      {isOpen ? (
        <div className="mt-1 border-l-2 border-line pl-3.5 text-dim">
          <Markdown text={item.text} live={item.live} />
        </div>
      ) : null}
    </div>
  );
}

/** A note of the harness to the model, or a file that was attached. */
function Note({ item }: { readonly item: ItemOf<"user"> }): ReactNode {
  const [isOpen, setOpen] = useOpened(item.key, false);
  const title = item.path === undefined ? "Note to the model" : `Attached ${shownText(item.path)}`;
  return (
    <div className="text-[12.5px] text-dim">
      <button
        type="button"
        className="flex max-w-full items-center gap-2 hover:text-ink"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="file" />
        <span className="truncate">{title}</span>
        <Icon name="chevron" className={`transition-transform ${isOpen ? "rotate-90" : ""}`} />
      </button>
      {isOpen ? (
        <pre className="pre mt-1.5 max-h-80 rounded-lg border border-line bg-sunken p-3">
          {shownText(item.text)}
        </pre>
      ) : null}
      {item.images?.map((image) => (
        <span key={image.data.slice(0, 64)}>{imageLine(image)}</span>
      ))}
    </div>
  );
}

const noticeLooks = { info: "text-dim", warning: "text-warn", error: "text-bad" } as const;

const settledWords: Readonly<Record<QuestionAction, string>> = {
  accept: "answered",
  decline: "declined",
  cancel: "left open",
};

function settledText({ asker, action, answeredBy }: ItemOf<"question">): string {
  const who = answeredBy === undefined ? "" : ` by ${answeredBy}`;
  return `The question of ${asker} was ${settledWords[action]}${who}.`;
}

interface NoticeParts {
  readonly level: ItemOf<"notice">["level"];
  readonly text: string;
  /** The text of a tool call that could not be read. */
  readonly raw?: string;
}

function Notice({ level, text, raw }: NoticeParts): ReactNode {
  return (
    <div className={`flex items-start gap-2 text-[13px] ${noticeLooks[level]}`}>
      {level === "info" ? null : <Icon name="warn" className="mt-0.5" />}
      <div className="min-w-0">
        <p className="whitespace-pre-wrap [overflow-wrap:anywhere]">{shownText(text)}</p>
        {raw === undefined ? null : (
          <details className="mt-1">
            <summary>What the model wrote</summary>
            <pre className="pre mt-1 max-h-64 rounded-lg border border-line bg-sunken p-2 text-ink">
              {shownText(raw.slice(0, 50_000))}
            </pre>
          </details>
        )}
      </div>
    </div>
  );
}

function OwnCommand({ item }: { readonly item: ItemOf<"command"> }): ReactNode {
  return (
    <figure className="overflow-hidden rounded-xl border border-line bg-[#16171a] text-[#e4e1dc]">
      <figcaption className="flex items-center gap-2 px-3 py-2 font-mono text-[12px]">
        <span className="text-[#eba954]">!</span>
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">{shownText(item.command)}</span>
        <span className="text-[11px] text-[#a5a19a]">
          {item.running ? "runs" : item.exitCode === undefined ? "ended" : `exit code ${item.exitCode}`}
        </span>
      </figcaption>
      {item.output === "" ? null : (
        <pre className="pre max-h-96 px-3 pb-2.5">{shownOutput(item.output.slice(-50_000))}</pre>
      )}
    </figure>
  );
}

/** Asks the person about a call: shows all that would run, the reason for the question, and the answers. */
import {
  argumentLines,
  judgedLine,
  type PermissionAnswer,
  type PermissionRequest,
  questionFacts,
  questionWarnings,
} from "@localharness/protocol";
import { type ReactNode, useState } from "react";
import { DiffView } from "../parts/diff-view.tsx";
import { Icon } from "../parts/icon.tsx";
import { ArgumentText } from "./argument-text.tsx";
import { composerHasText } from "./composer-text.ts";
import { useAnswerGate } from "./use-answer-gate.ts";
import { useAnswerKeys } from "./use-answer-keys.ts";
import { useClient } from "./use-client.ts";

interface Choice {
  readonly answer: PermissionAnswer;
  readonly words: string;
}

const choices: readonly Choice[] = [
  { answer: "once", words: "Allow once" },
  { answer: "session", words: "Allow in this session" },
  { answer: "remember", words: "Allow and remember" },
  { answer: "deny", words: "Deny" },
];

export function PermissionCard({
  request,
  others,
}: {
  readonly request: PermissionRequest;
  readonly others: number;
}): ReactNode {
  const client = useClient();
  const [note, setNote] = useState("");
  const [isSent, setSent] = useState(false);
  const gate = useAnswerGate(() => composerHasText() || note !== "");
  const offered = choices.filter(({ answer }) => request.answers?.includes(answer) !== false);
  const give = async (answer: PermissionAnswer, by: "key" | "click") => {
    if (isSent || !gate.admits({ allows: answer !== "deny", by })) return;
    setSent(true);
    const said = note.trim();
    const taken = await client.answer(
      request.requestId,
      answer,
      answer === "deny" && said !== "" ? { note: said } : {},
    );
    if (!taken) setSent(false);
  };
  useAnswerKeys(choices.length, (index) => {
    const choice = choices[index];
    if (choice !== undefined && offered.includes(choice)) void give(choice.answer, "key");
  });
  return (
    <section
      aria-labelledby="question-title"
      className="mb-2 flex max-h-[58dvh] flex-col overflow-hidden rounded-2xl border border-accent bg-raised shadow-lift"
    >
      <Title request={request} others={others} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard. */}
      <section className="min-h-0 flex-1 overflow-y-auto px-4 pb-3" tabIndex={0} aria-label="What would run">
        <CallContent request={request} />
        <div ref={gate.end} className="h-px" />
        <ul className="mt-2 space-y-0.5 text-[12.5px] text-dim">
          {questionFacts(request).map((fact) => (
            <li key={fact} className="[overflow-wrap:anywhere]">
              {fact}
            </li>
          ))}
        </ul>
      </section>
      <div className="border-t border-line px-4 py-3">
        <div className="flex flex-wrap gap-2">
          {offered.map(({ answer, words }) => (
            <AnswerButton
              key={answer}
              number={choices.findIndex((choice) => choice.answer === answer) + 1}
              words={answer === "deny" && note.trim() !== "" ? "Deny with this note" : words}
              look={answer === "once" ? "button-strong" : answer === "deny" ? "button-bad" : "button"}
              isDisabled={
                isSent || !gate.isReady || (answer !== "deny" && (!gate.sawEnd || note.trim() !== ""))
              }
              onClick={() => void give(answer, "click")}
            />
          ))}
        </div>
        <input
          className="field mt-2.5"
          placeholder="A note for the model, sent with a denial"
          aria-label="A note for the model, sent with a denial"
          value={note}
          onChange={(event) => setNote(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && !event.nativeEvent.isComposing && note.trim() !== "") {
              event.preventDefault();
              void give("deny", "click");
            }
          }}
        />
        {gate.sawEnd ? null : (
          <p className="mt-2 text-[12.5px] text-warn">Scroll to the end of the call before you allow it.</p>
        )}
      </div>
    </section>
  );
}

function Title({
  request,
  others,
}: {
  readonly request: PermissionRequest;
  readonly others: number;
}): ReactNode {
  const isHigh = request.risk === "high";
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 pt-3 pb-2">
      <Icon name="shield" className={isHigh ? "text-bad" : "text-accent"} />
      <h2 id="question-title" className="font-semibold">
        Allow <span className="font-mono text-[13px]">{judgedLine(request.toolName)}</span>?
      </h2>
      <span className={`badge ${isHigh ? "border-bad text-bad" : ""}`}>{request.risk} risk</span>
      {others > 0 ? <span className="badge">{others} more wait</span> : null}
    </div>
  );
}

function CallContent({ request }: { readonly request: PermissionRequest }): ReactNode {
  return (
    <div className="space-y-2">
      <pre className="pre rounded-lg border border-line bg-sunken px-3 py-2">
        {argumentLines(request.arguments, request.preview).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text have no identity but their place.
          <ArgumentText key={at} text={line} />
        ))}
      </pre>
      {questionWarnings(request).map((warning) => (
        <p
          key={warning}
          className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn"
        >
          <Icon name="warn" className="mt-0.5" />
          <span className="[overflow-wrap:anywhere]">{warning}</span>
        </p>
      ))}
      {request.preview === undefined ? null : <DiffView diff={request.preview} />}
    </div>
  );
}

export function AnswerButton(props: {
  readonly number: number;
  readonly words: string;
  readonly look: "button" | "button-strong" | "button-bad";
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}): ReactNode {
  return (
    <button type="button" className={props.look} disabled={props.isDisabled} onClick={props.onClick}>
      <span className="font-mono text-[11px] opacity-75" aria-hidden="true">
        {props.number}
      </span>
      {props.words}
    </button>
  );
}

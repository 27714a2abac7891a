/** Asks the person about a call: shows all that would run, the reason for the question, and the answers. */
import {
  argumentLines,
  defined,
  denialNumber,
  gradeText,
  judgedLine,
  type OfferedChoice,
  offerDetails,
  offeredChoices,
  type PermissionRequest,
  questionFacts,
  questionWarnings,
  scopeText,
  shortFacts,
  widerAnswers,
  widerText,
} from "@localharness/protocol";
import { type ReactNode, useState } from "react";
import { DiffView } from "../parts/diff-view.tsx";
import { Icon } from "../parts/icon.tsx";
import { ArgumentText } from "./argument-text.tsx";
import { composerHasText } from "./composer-text.ts";
import { useAnswerGate } from "./use-answer-gate.ts";
import { useAnswerKeys } from "./use-answer-keys.ts";
import { useClient } from "./use-client.ts";

interface Choice extends Omit<OfferedChoice, "short"> {
  readonly wider?: true;
}

const usualChoices: readonly Choice[] = [
  { number: 1, answer: "once", words: "Allow once" },
  { number: 2, answer: "session", words: "Allow in this session" },
  { number: 3, answer: "remember", words: "Allow and remember" },
  { number: denialNumber, answer: "deny", words: "Deny" },
];

/** Returns the choices of a question, in the order of their numbers. */
function choicesOf(request: PermissionRequest): readonly Choice[] {
  const covers = widerText(request);
  const offered = offeredChoices(request);
  if (offered !== undefined || covers === undefined) return offered ?? usualChoices;
  return [
    ...usualChoices,
    ...widerAnswers.map(
      ({ answer, number, words }): Choice => ({ number, answer, words: `${words}: ${covers}`, wider: true }),
    ),
  ];
}

function wordsOf({ words, careful }: Choice): string {
  return careful === undefined ? words : `${words} (careful: ${careful})`;
}

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
  const all = choicesOf(request);
  const offered = all.filter(
    ({ answer, offer, wider }) =>
      offer !== undefined || wider === true || request.answers?.includes(answer) !== false,
  );
  const give = async ({ answer, offer, wider }: Omit<Choice, "words" | "number">, by: "key" | "click") => {
    if (isSent || !gate.admits({ allows: answer !== "deny", by })) return;
    setSent(true);
    const said = note.trim();
    const taken = await client.answer(
      request.requestId,
      answer,
      answer === "deny" && said !== "" ? { note: said } : defined({ offer, wider }),
    );
    if (!taken) setSent(false);
  };
  useAnswerKeys(Math.max(...all.map(({ number }) => number)), (index) => {
    const choice = offered.find(({ number }) => number === index + 1);
    if (choice !== undefined) void give(choice, "key");
  });
  return (
    <section
      aria-labelledby="question-title"
      className="mb-2 flex max-h-[58dvh] flex-col overflow-hidden rounded-2xl border border-accent bg-raised shadow-lift"
    >
      <Title request={request} others={others} />
      <section
        className="judged min-h-0 flex-1 overflow-y-auto px-4 pb-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        aria-label="What would run"
      >
        <CallContent request={request} />
        <div ref={gate.end} className="h-px" />
        <Facts request={request} />
      </section>
      <div className="border-t border-line px-4 py-3">
        <div className="flex flex-wrap gap-2">
          {offered.map((choice) => {
            const { number, answer, words } = choice;
            return (
              <AnswerButton
                key={words}
                number={number}
                words={answer === "deny" && note.trim() !== "" ? "Deny with this note" : wordsOf(choice)}
                look={answer === "once" ? "button-strong" : answer === "deny" ? "button-bad" : "button"}
                isDisabled={
                  isSent || !gate.isReady || (answer !== "deny" && (!gate.sawEnd || note.trim() !== ""))
                }
                onClick={() => void give(choice, "click")}
              />
            );
          })}
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
              void give({ answer: "deny" }, "click");
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
  const { text, isHigh } = gradeText(request);
  return (
    <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 pt-3 pb-2">
      <Icon name="shield" className={isHigh ? "text-bad" : "text-accent"} />
      <h2 id="question-title" className="font-semibold">
        Allow <span className="judged font-mono text-[13px]">{judgedLine(request.toolName)}</span>?
      </h2>
      <span className={`badge ${isHigh ? "border-bad text-bad" : ""}`}>{text}</span>
      {others > 0 ? <span className="badge">{others} more wait</span> : null}
    </div>
  );
}

/** The line of facts, what the answers cover, and all facts where the person opens them. */
function Facts({ request }: { readonly request: PermissionRequest }): ReactNode {
  const facts = shortFacts(request).join(" · ");
  return (
    <div className="mt-2 space-y-0.5 text-[12.5px] text-dim [overflow-wrap:anywhere]">
      {offerDetails(request).map((detail) => (
        <p key={detail}>{detail}</p>
      ))}
      {facts === "" ? null : <p>{facts}</p>}
      {scopeText(request) === "" ? null : <p>{scopeText(request)}</p>}
      <details>
        <summary className="cursor-pointer">More</summary>
        <ul>
          {questionFacts(request).map((fact) => (
            <li key={fact}>{fact}</li>
          ))}
        </ul>
      </details>
    </div>
  );
}

function CallContent({ request }: { readonly request: PermissionRequest }): ReactNode {
  return (
    <div className="space-y-2">
      <pre className="pre rounded-lg border border-line bg-sunken px-3 py-2">
        {argumentLines(request.arguments, request.preview, request.previewMasked).map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text have no identity but their place.
          <ArgumentText key={at} text={line} />
        ))}
      </pre>
      {request.preview === undefined ? null : <DiffView diff={request.preview} />}
      {questionWarnings(request).map((warning) => (
        <p
          key={warning}
          className="flex items-start gap-2 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn"
        >
          <Icon name="warn" className="mt-0.5" />
          <span className="[overflow-wrap:anywhere]">{warning}</span>
        </p>
      ))}
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

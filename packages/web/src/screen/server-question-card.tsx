/**
 * Shows a question of an MCP server or of the model: a form, a page to open, or a request for an answer of the model. All text of the server is
 * shown as text. An answer allows no tool call.
 */
import {
  answerGoesText,
  askerText,
  judgedLine,
  judgedText,
  modelRequestText,
  type QuestionAction,
  type QuestionField,
  type ServerQuestion,
} from "@localharness/protocol";
import { type ReactNode, useState } from "react";
import { CopyButton } from "../parts/copy-button.tsx";
import { Icon } from "../parts/icon.tsx";
import { type EnteredValues, firstEntered, readForm } from "../session/form-values.ts";
import { FieldControl } from "./question-field.tsx";
import { useAnswerGate } from "./use-answer-gate.ts";
import { useClient } from "./use-client.ts";

/** Keeps what the person has filled in while a question about a call is shown instead (`isCovered`). */
export function ServerQuestionCard({
  question,
  isCovered,
}: {
  readonly question: ServerQuestion;
  readonly isCovered: boolean;
}): ReactNode {
  const [entered, setEntered] = useState<EnteredValues>(() => firstEntered(fieldsOf(question)));
  return isCovered ? null : <Card question={question} entered={entered} onEnter={setEntered} />;
}

interface CardProps {
  readonly question: ServerQuestion;
  readonly entered: EnteredValues;
  readonly onEnter: (entered: EnteredValues) => void;
}

function Card({ question, entered, onEnter }: CardProps): ReactNode {
  const client = useClient();
  const [isSent, setSent] = useState(false);
  const [problems, setProblems] = useState<readonly (string | undefined)[]>([]);
  const gate = useAnswerGate(() => false);
  const fields = fieldsOf(question);
  const { asks } = question;
  const give = async (action: QuestionAction) => {
    if (isSent || !gate.admits({ allows: action === "accept", by: "click" })) return;
    const read = readForm(fields, entered);
    const isWrong = action === "accept" && !read.ok;
    setProblems(isWrong ? read.problems : []);
    if (isWrong) return;
    setSent(true);
    const values = action === "accept" && read.ok ? { values: read.values } : {};
    const { questionId } = question;
    const taken = await client.send({ type: "server-question-answer", questionId, action, ...values });
    if (!taken) setSent(false);
  };
  return (
    <form
      aria-labelledby="server-question-title"
      className="mb-2 flex max-h-[58dvh] flex-col overflow-hidden rounded-2xl border border-accent bg-raised shadow-lift"
      onSubmit={(event) => {
        event.preventDefault();
        void give("accept");
      }}
    >
      <Head question={question} />
      <section
        className="judged min-h-0 flex-1 space-y-3 overflow-y-auto px-4 pb-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        aria-label="What it asks"
      >
        {question.message === "" ? null : (
          <p className="border-l-2 border-line-strong pl-3 whitespace-pre-wrap [overflow-wrap:anywhere]">
            {judgedText(question.message)}
          </p>
        )}
        {asks.kind === "model" ? <pre className="pre">{modelRequestText(asks)}</pre> : null}
        {asks.kind === "page" ? <PageAddress url={asks.url} /> : null}
        {fields.map((field, at) => (
          <FieldControl
            key={field.name}
            field={field}
            entered={entered[at] ?? ""}
            problem={problems[at]}
            onChange={(value) => onEnter(entered.with(at, value))}
          />
        ))}
        <div ref={gate.end} className="h-px" />
      </section>
      <div className="border-t border-line px-4 py-3">
        <div className="flex flex-wrap gap-2">
          <button type="submit" className="button-strong" disabled={isSent || !gate.isReady || !gate.sawEnd}>
            {acceptWords[asks.kind]}
          </button>
          <Refusal
            words={asks.kind === "model" ? "Deny" : "Decline"}
            isDisabled={isSent || !gate.isReady}
            onClick={() => void give("decline")}
          />
          {asks.kind === "model" ? null : (
            <Refusal
              words="Cancel"
              isDisabled={isSent || !gate.isReady}
              onClick={() => void give("cancel")}
            />
          )}
        </div>
        {gate.sawEnd ? null : (
          <p className="mt-2 text-[12.5px] text-warn">
            Scroll to the end of the question before you send an answer.
          </p>
        )}
      </div>
    </form>
  );
}

function fieldsOf({ asks }: ServerQuestion): readonly QuestionField[] {
  return asks.kind === "form" ? asks.fields : [];
}

const acceptWords: Readonly<Record<ServerQuestion["asks"]["kind"], string>> = {
  form: "Send",
  page: "I open the page",
  model: "Allow once",
};

function Head({ question }: { readonly question: ServerQuestion }): ReactNode {
  const isOfModel = question.asks.kind === "model";
  const asker = askerText(question);
  return (
    <div className="px-4 pt-3 pb-2">
      <h2
        id="server-question-title"
        className="flex items-center gap-2 font-semibold [overflow-wrap:anywhere]"
      >
        <Icon name="terminal" className="text-accent" />
        <span className="judged">
          {asker.slice(0, 1).toUpperCase()}
          {asker.slice(1)} {isOfModel ? "asks for an answer of your model" : "asks you"}
        </span>
      </h2>
      <p className="text-[12.5px] text-dim">
        {isOfModel
          ? "The model gets this text and nothing else. Its answer goes to this server."
          : answerGoesText(question)}
      </p>
    </div>
  );
}

/** Shows the whole address as text, without a link: nothing opens it but the person. */
function PageAddress({ url }: { readonly url: string }): ReactNode {
  return (
    <div>
      <p className="text-[13px]">It wants you to open this page in your browser:</p>
      <div className="flex items-start gap-1">
        <p className="font-mono text-[12.5px] [overflow-wrap:anywhere]">{judgedLine(url)}</p>
        <CopyButton text={url} what="the address" />
      </div>
    </div>
  );
}

function Refusal(props: {
  readonly words: string;
  readonly isDisabled: boolean;
  readonly onClick: () => void;
}): ReactNode {
  return (
    <button type="button" className="button" disabled={props.isDisabled} onClick={props.onClick}>
      {props.words}
    </button>
  );
}

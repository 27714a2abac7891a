/** Asks the person to approve a plan of the model. */
import {
  allowingNumber,
  denialNumber,
  judgedLine,
  type PermissionMode,
  type PermissionRequest,
} from "@localharness/protocol";
import { type ReactNode, useState } from "react";
import { Markdown } from "../markdown/markdown.tsx";
import { composerHasText } from "./composer-text.ts";
import { AnswerButton } from "./permission-card.tsx";
import { useAnswerGate } from "./use-answer-gate.ts";
import { useAnswerKeys } from "./use-answer-keys.ts";
import { useClient } from "./use-client.ts";

export function PlanCard({
  request,
  plan,
}: {
  readonly request: PermissionRequest;
  readonly plan: string;
}): ReactNode {
  const client = useClient();
  const [edited, setEdited] = useState<string>();
  const [isEditing, setEditing] = useState(false);
  const [note, setNote] = useState("");
  const gate = useAnswerGate(() => composerHasText() || note !== "" || isEditing);
  const modes = request.plan?.modes ?? [];
  const approve = (mode: PermissionMode, by: "key" | "click") => {
    if (!gate.admits({ allows: true, by })) return;
    const changed = edited !== undefined && edited !== plan ? { plan: edited } : {};
    void client.answer(request.requestId, "once", { mode, ...changed });
  };
  const refuse = (by: "key" | "click") => {
    if (!gate.admits({ allows: false, by })) return;
    const said = note.trim();
    void client.answer(request.requestId, "deny", said === "" ? {} : { note: said });
  };
  useAnswerKeys(Math.max(denialNumber, modes.length + 1), (index) => {
    const mode = modes.find((_, at) => allowingNumber(at) === index + 1);
    if (index + 1 === denialNumber) refuse("key");
    else if (mode !== undefined) approve(mode, "key");
  });
  return (
    <section
      aria-labelledby="plan-title"
      className="mb-2 flex max-h-[70dvh] flex-col overflow-hidden rounded-2xl border border-accent bg-raised shadow-lift"
    >
      <div className="flex items-center justify-between px-4 pt-3 pb-1">
        <h2 id="plan-title" className="font-semibold">
          {edited === undefined ? "The model's plan" : "The plan, edited by you"}
        </h2>
        <button type="button" className="chip" onClick={() => setEditing(!isEditing)}>
          {isEditing ? "Show" : "Edit"}
        </button>
      </div>
      <section
        className="judged-code min-h-0 flex-1 overflow-y-auto px-4 pb-3"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard.
        tabIndex={0}
        aria-label="The plan"
      >
        <Concerns of={request} />
        {isEditing ? (
          <textarea
            className="field min-h-64 font-mono"
            aria-label="The plan as Markdown"
            value={edited ?? plan}
            onChange={(event) => setEdited(event.target.value)}
          />
        ) : (
          <Markdown text={edited ?? plan} />
        )}
        <div ref={gate.end} className="h-px" />
      </section>
      <div className="space-y-2.5 border-t border-line px-4 py-3">
        <div className="flex flex-wrap gap-2">
          {modes.map((mode, at) => (
            <AnswerButton
              key={mode}
              number={allowingNumber(at)}
              words={`Approve, go on in ${mode}`}
              look={at === 0 ? "button-strong" : "button"}
              isDisabled={!gate.isReady || !gate.sawEnd || isEditing || note.trim() !== ""}
              onClick={() => approve(mode, "click")}
            />
          ))}
          <AnswerButton
            number={denialNumber}
            words={note.trim() === "" ? "Refuse" : "Refuse with this note"}
            look="button-bad"
            isDisabled={!gate.isReady}
            onClick={() => refuse("click")}
          />
        </div>
        <input
          className="field"
          placeholder="A note for the model, sent with a refusal"
          aria-label="A note for the model, sent with a refusal"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </div>
    </section>
  );
}

/** Shows the reasons that ask, but for the plan itself. */
function Concerns({ of }: { readonly of: PermissionRequest }): ReactNode {
  const concerns = of.concerns.filter(({ id }) => id !== "plan");
  return concerns.map(({ id, reason }) => (
    <p key={id} className="judged mb-2 rounded-lg bg-warn-soft px-3 py-2 text-[13px] text-warn">
      {judgedLine(reason)}
    </p>
  ));
}

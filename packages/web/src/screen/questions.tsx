/** Shows the questions that wait for the person, above the composer: the first of a call, and one of an MCP server. */
import { type PermissionRequest, planOf } from "@localharness/protocol";
import type { ReactNode } from "react";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { ServerQuestionCard } from "./server-question-card.tsx";
import { useSession } from "./use-client.ts";

// With a different key for each question, React makes a new card, which measures the time since its own question
// appeared.
export function Questions(): ReactNode {
  const questions = useSession((session) => session.questions) ?? [];
  const asked = useSession(({ view }) => view.question);
  const [question] = questions;
  return (
    <>
      {question === undefined ? null : <CallQuestion request={question} others={questions.length - 1} />}
      {asked === undefined ? null : (
        <ServerQuestionCard key={asked.questionId} question={asked} isCovered={question !== undefined} />
      )}
    </>
  );
}

function CallQuestion({
  request,
  others,
}: {
  readonly request: PermissionRequest;
  readonly others: number;
}): ReactNode {
  const plan = planOf(request);
  return plan === undefined ? (
    <PermissionCard key={request.requestId} request={request} others={others} />
  ) : (
    <PlanCard key={request.requestId} request={request} plan={plan} />
  );
}

/** Shows the question that waits for the person, above the composer. */
import { planOf } from "@localharness/protocol";
import type { ReactNode } from "react";
import { PermissionCard } from "./permission-card.tsx";
import { PlanCard } from "./plan-card.tsx";
import { useSession } from "./use-client.ts";

export function Questions(): ReactNode {
  const questions = useSession((session) => session.questions) ?? [];
  const [question] = questions;
  if (question === undefined) return null;
  const plan = planOf(question);
  // With a different key for each question, React makes a new card, which measures the time since its own question
  // appeared.
  return plan === undefined ? (
    <PermissionCard key={question.requestId} request={question} others={questions.length - 1} />
  ) : (
    <PlanCard key={question.requestId} request={question} plan={plan} />
  );
}

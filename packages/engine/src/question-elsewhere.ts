/** Declares how a running tool asks the person about a call on another machine, whose own rules decide about the call. */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";

/** A question without the parts that this session adds. */
export type QuestionElsewhere = Omit<PermissionRequest, "requestId" | "callId" | "format" | "agent" | "plan">;

export interface AnswerForElsewhere {
  readonly answer: PermissionAnswer;
  /** The person's text for the model; only in a denial. */
  readonly note?: string;
}

/** Resolves to the person's answer; undefined if nobody can be asked, or an interrupt comes first. Never rejects. */
export type AskForTool = (
  question: QuestionElsewhere,
  signal: AbortSignal,
) => Promise<AnswerForElsewhere | undefined>;

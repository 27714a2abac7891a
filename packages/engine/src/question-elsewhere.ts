/**
 * Declares how a running tool asks the person about something that follows from its call: a call on another machine, whose own
 * rules decide about it, a port that its command listens on, or a host that its command tries to reach.
 */
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";

/** A question without the parts that this session adds. */
export type QuestionElsewhere = Omit<PermissionRequest, "requestId" | "callId" | "format" | "agent" | "plan">;

export interface AnswerForElsewhere {
  readonly answer: PermissionAnswer;
  /** The id of the offer of the question that the person took; only with `once`. */
  readonly offer?: string;
  /** The person's text for the model; only in a denial. */
  readonly note?: string;
}

/**
 * Resolves to the person's answer when the audit log has it; undefined if nobody can be asked, an interrupt comes first, or the
 * log cannot be written. Never rejects.
 */
export type AskForTool = (
  question: QuestionElsewhere,
  signal: AbortSignal,
) => Promise<AnswerForElsewhere | undefined>;

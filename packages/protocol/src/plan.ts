/** Declares the modes that may follow an approved plan, and reads plans from requests and events. */
import type { EventBody, PermissionMode, PermissionRequest } from "./event.ts";

export interface PlanApproval {
  /** The mode in which the session continues. */
  readonly mode: PermissionMode;
  /** The plan that the person edited; absent if it is unchanged. */
  readonly plan?: string;
}

/** True for each mode in which a session may continue after the person has approved a plan. */
const followsPlan: Readonly<Record<PermissionMode, boolean>> = {
  default: true,
  plan: false,
  "accept-edits": true,
  auto: true,
  bypass: false,
};

/** The modes in which a session may continue after the person has approved a plan, the strictest first. */
export const modesAfterPlan: readonly PermissionMode[] = (
  Object.keys(followsPlan) as readonly PermissionMode[]
).filter((mode) => followsPlan[mode]);

/** Returns the Markdown of the plan that a request asks about; undefined for any other request. */
export function planOf(request: PermissionRequest): string | undefined {
  const { plan } = request.arguments;
  return request.plan !== undefined && typeof plan === "string" ? plan : undefined;
}

/** Returns the text that an event adds to the answer: a delta, or the plan with which a turn ends; otherwise undefined. */
export function answerTextOf(event: EventBody): string | undefined {
  if (event.type === "text-delta") return event.text;
  return event.type === "turn-end" && event.plan !== undefined ? `${event.plan.trimEnd()}\n` : undefined;
}

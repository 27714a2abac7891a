/** Declares the modes that may follow an approved plan, and reads plans from requests. */
import type { PermissionMode, PermissionRequest } from "./permission-request.ts";

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

/**
 * The tool `present_plan`: in the mode `plan` the model presents its plan, and the person approves it, edits it or refuses
 * it. The tool changes the mode only with the approval that a person gave to this very call.
 */
import { modesAfterPlan, type PermissionMode } from "@localharness/protocol";
import { planApprovedText, planNotWantedText } from "../calls/texts.ts";
import type { CallFacts } from "../policy/facts.ts";
import { defineTool, failed, type Tool } from "../tool.ts";

/** The functions of the session that the tool uses. */
export interface PlanDesk {
  mode(): PermissionMode;
  /** Changes the mode; the result of the call tells the model. */
  goOnIn(mode: PermissionMode): void;
}

export const planToolName = "present_plan";

export function createPlanTool({ mode, goOnIn }: PlanDesk): Tool {
  return defineTool({
    name: planToolName,
    description: "In mode plan: presents your plan to the person, who approves, edits or refuses it.",
    parameters: {
      type: "object",
      properties: {
        plan: { type: "string", description: "Markdown: what to change in which files, step by step" },
      },
      required: ["plan"],
    },
    aliases: ["exit_plan_mode", "submit_plan"],
    risk: "safe",
    // A tool that is not read-only runs alone, and only after the person's answer is in the audit log.
    readOnly: false,
    examine: ({ plan }) => (mode() === "plan" && isWritten(plan) ? asking : {}),
    execute({ plan }, { approval }) {
      if (!isWritten(plan)) return Promise.resolve(failed("validation_failed", "the plan is empty"));
      if (approval === undefined) {
        return Promise.resolve(failed("validation_failed", planNotWantedText(mode())));
      }
      goOnIn(approval.mode);
      const edited = isWritten(approval.plan) && approval.plan !== plan ? approval.plan : undefined;
      return Promise.resolve({ ok: true, data: planApprovedText(approval.mode, edited) });
    },
  });
}

const asking: CallFacts = {
  concerns: [{ id: "plan", decision: "ask", reason: "the model presents its plan" }],
  rememberable: false,
  plan: { modes: modesAfterPlan },
};

function isWritten(plan: unknown): plan is string {
  return typeof plan === "string" && plan.trim() !== "";
}

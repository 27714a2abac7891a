/** Turns the approvals of a row into rules, and saves them with the program's own policy store. */
import { join } from "node:path";
import type { PolicyRule, Tool } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { openWorkbench, type Settings } from "localharness";
import { fillText } from "./fill.ts";
import { ownTool } from "./own-names.ts";
import { type Place, withoutVariables } from "./place.ts";
import type { Approval, Row } from "./row.ts";

/** Returns this program's names of the tools that the person approves in the same session, by allowing a harmless call. */
export function givenInSession(row: Row): string[] {
  const fitting = (row.policy ?? []).filter((approval) => isGivenInSession(approval));
  return fitting.map((approval) => ownTool(approval.tool));
}

/**
 * Returns true if the person can give the approval for the session by allowing a harmless call of the tool. A shell command
 * is approved by its text, so its approval needs a rule.
 */
function isGivenInSession({ scope, decision, tool }: Approval): boolean {
  return scope === "session" && decision === "allow" && tool !== "shell";
}

/**
 * Saves each approval that is not given in the session as the rule that an answer would have created, without running the
 * approved call.
 */
export async function keepApprovals(row: Row, place: Place): Promise<void> {
  const kept = (row.policy ?? []).filter((approval) => !isGivenInSession(approval));
  if (kept.length === 0) return;
  const settings: Settings = {
    values: {},
    origins: {},
    folder: join(place.home, ".config", "localharness"),
  };
  const bench = await openWorkbench(settings, place.ws, "all");
  try {
    for (const [index, approval] of kept.entries()) {
      const tool = bench.registry.find(ownTool(approval.tool))?.tool;
      const scope = tool === undefined ? "" : await scopeOf(tool, approval, place);
      await bench.policyStore.add(ruleFor(approval, index, scope, place, bench.workspace));
    }
  } finally {
    await bench.close();
  }
}

function ruleFor(
  approval: Approval,
  index: number,
  scope: string,
  place: Place,
  workspace: string,
): PolicyRule {
  const { decision, prefix, path } = approval;
  const other = approval.workspace === undefined ? workspace : fillText(approval.workspace, place.values);
  return {
    id: `remember:${index}`,
    decision,
    justification: decision === "allow" ? "you chose Remember" : "you do not want it",
    tool: ownTool(approval.tool),
    ...(decision === "allow" ? { workspace: other } : {}),
    ...(scope === "" ? {} : { scope }),
    ...(prefix === undefined ? {} : { command: [...prefix, "*"] }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Returns the scope of an answer to a call with the approval's command; an empty text if the approval has no command. */
async function scopeOf(tool: Tool, approval: Approval, place: Place): Promise<string> {
  if (approval.command === undefined) return "";
  const command = withoutVariables(fillText(approval.command, place.values), place.values);
  const args: JsonObject = { command };
  const facts = await tool.examine?.(args, AbortSignal.timeout(5_000));
  return facts?.scope ?? tool.grantScope?.(args) ?? command;
}

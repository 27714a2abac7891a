/** Turns the approvals of a row into rules, and saves them with the program's own policy store. */
import { join } from "node:path";
import type { PolicyRule, Tool } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { openWorkbench, type Settings } from "localharness";
import { fillText } from "./fill.ts";
import { ownTool } from "./own-names.ts";
import { type Place, withoutVariables } from "./place.ts";
import type { AnswerWord, Approval, RecordedCall, Row } from "./row.ts";
import { RowError } from "./row-error.ts";

/** An approval with its scope and its decision apart. */
interface Given extends Approval {
  readonly scope: "once" | "session" | "remember";
  readonly decision: "allow" | "deny" | "ask";
}

/** Returns the approvals of a row. A decision may be the name of a scope. */
function approvalsOf(row: Row): Given[] {
  return (row.policy ?? []).map((approval) => {
    const { decision, scope = "remember" } = approval;
    return decision === "allow" || decision === "deny" || decision === "ask"
      ? { ...approval, decision, scope }
      : { ...approval, decision: "allow", scope: decision };
  });
}

/** Returns this program's names of the tools that the person approves in the same session, by allowing a harmless call. */
export function givenInSession(row: Row): string[] {
  const fitting = approvalsOf(row).filter((approval) => isGivenInSession(approval));
  return fitting.map((approval) => ownTool(approval.tool));
}

/**
 * Returns true if the person can give the approval for the session by allowing a harmless call of the tool. A shell command
 * is approved by its text, so its approval needs a rule.
 */
function isGivenInSession({ scope, decision, tool, already_used: used }: Given): boolean {
  return scope === "session" && decision === "allow" && tool !== "shell" && used !== true;
}

/** Returns the calls that were approved and made before the row's own call, each with the person's answer. */
export function usedApprovals(row: Row): RecordedCall[] {
  return approvalsOf(row)
    .filter((approval) => approval.already_used === true)
    .map((approval) => ({
      tool: approval.tool,
      arguments: approvedArguments(approval, row),
      answer: approval.decision === "allow" ? approval.scope : "deny",
    }));
}

function approvedArguments({ arguments: args, command, path, tool }: Approval, row: Row): JsonObject {
  if (args !== undefined) return args;
  if (command !== undefined) return { command };
  if (path !== undefined) return tool === "write_file" ? { path, content: "x\n" } : { path };
  if (tool === row.tool && row.arguments !== undefined) return row.arguments;
  throw new RowError(`an approval of ${tool} is used already, but its call is not known`);
}

/** Returns the answer that an approval for once gives to the row's own call; undefined when there is none. */
export function answerForOnce(row: Row): AnswerWord | undefined {
  const fitting = approvalsOf(row).find(
    ({ scope, tool, command, already_used: used }) =>
      scope === "once" &&
      used !== true &&
      tool === row.tool &&
      (command === undefined || command === row.arguments?.["command"]),
  );
  if (fitting === undefined) return undefined;
  return fitting.decision === "allow" ? "once" : "deny";
}

/**
 * Saves each approval that the person does not give in the session as the rule that an answer would have created, without
 * running the approved call.
 */
export async function keepApprovals(row: Row, place: Place): Promise<void> {
  const kept = approvalsOf(row).filter(
    (approval) => !isGivenInSession(approval) && approval.scope !== "once" && approval.already_used !== true,
  );
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

function ruleFor(approval: Given, index: number, scope: string, place: Place, workspace: string): PolicyRule {
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

/** Has a tool look at what a call would do, within a limit, and puts what it found into the question for the policy. */
import { isJsonObject, type JsonObject, type PermissionMode } from "@localharness/protocol";
import type { CallFacts, Concern } from "../policy/facts.ts";
import type { PolicyQuestion } from "../policy/rule.ts";
import type { Tool } from "../tool.ts";
import { within } from "./within.ts";

const examineMs = 3_000;

export interface QuestionSurroundings {
  readonly mode: PermissionMode;
  /** Real path. */
  readonly workspace: string;
  /** True by default. */
  readonly trusted?: boolean;
}

/** What the policy is asked about a call, with what the tool finds out about it. Throws when the tool's risk does. */
export async function policyQuestion(
  tool: Tool,
  args: JsonObject,
  around: QuestionSurroundings,
  signal: AbortSignal = new AbortController().signal,
): Promise<PolicyQuestion> {
  return withFacts(plainQuestion(tool, args, around), await examineCall(tool, args, signal));
}

/** The question as it stands before the tool has looked. */
export function plainQuestion(tool: Tool, args: JsonObject, around: QuestionSurroundings): PolicyQuestion {
  return {
    tool: tool.name,
    arguments: args,
    scope: tool.grantScope?.(args) ?? "",
    risk: typeof tool.risk === "function" ? tool.risk(args) : tool.risk,
    readOnly: tool.readOnly,
    editsFiles: tool.editsFiles ?? false,
    mode: around.mode,
    workspace: around.workspace,
    facts: around.trusted === false && !tool.readOnly ? { concerns: [untrusted] } : {},
  };
}

/** Never rejects: a tool that cannot say what a call would do makes one that is asked about. */
export async function examineCall(tool: Tool, args: JsonObject, signal: AbortSignal): Promise<CallFacts> {
  if (tool.examine === undefined) return {};
  const facts: unknown = await within(
    examineMs,
    signal,
    // A copy: what a tool keeps and changes later is not what was decided on.
    async (stop): Promise<unknown> => structuredClone(await tool.examine?.(args, stop)),
  );
  return isJsonObject(facts) ? (facts as CallFacts) : unexamined;
}

export function withFacts(plain: PolicyQuestion, found: CallFacts): PolicyQuestion {
  const concerns = [...(plain.facts.concerns ?? []), ...(found.concerns ?? [])];
  return {
    ...plain,
    scope: found.scope ?? plain.scope,
    risk: found.risk ?? plain.risk,
    readOnly: found.readOnly ?? plain.readOnly,
    facts: concerns.length === 0 ? found : { ...found, concerns },
  };
}

/** The question with one more concern; the same without one. */
export function withConcern(question: PolicyQuestion, concern: Concern | undefined): PolicyQuestion {
  if (concern === undefined) return question;
  const concerns = [...(question.facts.concerns ?? []), concern];
  return { ...question, facts: { ...question.facts, concerns } };
}

const untrusted: Concern = {
  id: "untrusted",
  decision: "deny",
  reason:
    "this folder is not trusted, so only tools that change nothing run in it; the person can trust it with: localharness trust add",
};

const unexamined: CallFacts = {
  concerns: [
    { id: "unexamined", decision: "ask", reason: "it could not be found out what the call would touch" },
  ],
  rememberable: false,
};

/** Asks a tool for the facts about a call, within a time limit, and builds the question for the policy from them. */
import { defined, isJsonObject, type JsonObject, type PermissionMode } from "@localharness/protocol";
import { addedScope } from "../policy/added-scope.ts";
import type { CallFacts, Concern } from "../policy/facts.ts";
import type { Freedoms, PolicyQuestion } from "../policy/rule.ts";
import type { Tool } from "../tool.ts";
import { within } from "./within.ts";

const maxExamineMs = 3_000;

export interface QuestionSurroundings {
  readonly mode: PermissionMode;
  /** The real path of the workspace. */
  readonly workspace: string;
  /** False if the person has not trusted the folder; true by default. */
  readonly trusted?: boolean;
  readonly freedoms?: Freedoms;
  /** Returns the real paths of the folders that the person added; absent if there can be none. */
  readonly added?: () => readonly string[];
}

/** Resolves to the question for the policy, with the tool's facts. Rejects if `tool.risk` or `tool.grantScope` throws. */
export async function policyQuestion(
  tool: Tool,
  args: JsonObject,
  around: QuestionSurroundings,
  signal: AbortSignal = new AbortController().signal,
): Promise<PolicyQuestion> {
  return withFacts(plainQuestion(tool, args, around), await examineCall(tool, args, signal));
}

/** Returns the question for the policy, without the tool's facts. Throws if `tool.risk` or `tool.grantScope` throws. */
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
    ...defined({ freedoms: around.freedoms, added: around.added?.() }),
    facts: around.trusted === false && !tool.readOnly ? { concerns: [untrusted] } : {},
  };
}

/** Resolves to the tool's facts about the call. Never rejects: if the tool fails, the facts make the call ask. */
export async function examineCall(tool: Tool, args: JsonObject, signal: AbortSignal): Promise<CallFacts> {
  if (tool.examine === undefined) return {};
  const facts: unknown = await within(
    maxExamineMs,
    signal,
    // The facts are copied, because the tool may change its object after the decision.
    async (stop): Promise<unknown> => structuredClone(await tool.examine?.(args, stop)),
  );
  return isJsonObject(facts) ? (facts as CallFacts) : unexamined;
}

/** Returns the question with the tool's facts about the call. */
export function withFacts(plain: PolicyQuestion, found: CallFacts): PolicyQuestion {
  const concerns = [...(plain.facts.concerns ?? []), ...(found.concerns ?? [])];
  return {
    ...plain,
    scope: (found.scope ?? plain.scope) || addedScope(found),
    risk: found.risk ?? plain.risk,
    readOnly: found.readOnly ?? plain.readOnly,
    facts: concerns.length === 0 ? found : { ...found, concerns },
  };
}

/** Returns the question with one more concern; the same question if `concern` is undefined. */
export function withConcern(question: PolicyQuestion, concern: Concern | undefined): PolicyQuestion {
  if (concern === undefined) return question;
  const concerns = [...(question.facts.concerns ?? []), concern];
  return { ...question, facts: { ...question.facts, concerns } };
}

const untrusted: Concern = {
  id: "untrusted",
  decision: "deny",
  reason:
    "this folder is not trusted in this session, so only tools that change nothing run; trust that the person gives (/trust yes, or localharness trust add) holds in sessions that begin after it",
};

const unexamined: CallFacts = {
  concerns: [{ id: "unexamined", decision: "ask", reason: "it is unknown what the call would touch" }],
  rememberable: false,
};

/** Runs a session: loop, executor, policy, permissions, limits, registry. No file system, network or screen. */
export type { TurnEnd } from "./agent-loop.ts";
export { coerceValue } from "./arguments/coerce.ts";
export { exampleArguments } from "./arguments/example.ts";
export { nearestName } from "./arguments/names.ts";
export { readArguments } from "./arguments/read.ts";
export { type ValidatedInput, validateInput } from "./arguments/validate.ts";
export type { AuditAnswer, AuditCall, AuditEntry, AuditHook, AuditLog, AuditResult } from "./audit.ts";
export type { PersonsAnswer } from "./calls/ask-permission.ts";
export { policyQuestion, type QuestionSurroundings } from "./calls/examine-call.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type Conversation, createConversation } from "./conversation.ts";
export type { DelegatedEnd, DelegatedWork } from "./delegate.ts";
export type { ExecutorInput, ExecutorState, TickResult } from "./executor/state.ts";
export { transition } from "./executor/transition.ts";
export { freshId } from "./fresh-id.ts";
export { configError, HarnessError, type HarnessErrorCode, usageError } from "./harness-error.ts";
export type { HookAnswer, HookEvent, HookedCall, HookRun, Hooks, TurnMark } from "./hooks.ts";
export type { JsonSchema, JsonSchemaType, ParametersSchema } from "./json-schema.ts";
export type { Model, ModelRequest, ToolDefinition } from "./model.ts";
export { checkRule, type RuleProblem } from "./policy/check-rule.ts";
export {
  type ConsideredRule,
  createPolicy,
  decide,
  type Explanation,
  explain,
  type Policy,
} from "./policy/decide.ts";
export type { CallFacts, CommandFacts, Concern, TouchedPath } from "./policy/facts.ts";
export { coverage } from "./policy/grants.ts";
export type {
  ArgumentPattern,
  Decision,
  LoadedRules,
  PolicyQuestion,
  PolicyRule,
  PolicyStore,
  RuleConditions,
  RuleExample,
  RuleOrigin,
} from "./policy/rule.ts";
export { type UsableRules, usableRules } from "./policy/usable-rules.ts";
export {
  createQuotedCalls,
  type FindCalls,
  type FoundCall,
  type QuotedCalls,
} from "./quoted/quoted-calls.ts";
export { createRegistry, type FoundTool, type ToolRegistry } from "./registry.ts";
export { runToolCall, type ToolCallOptions } from "./run-tool-call.ts";
export { parametersFromStandard, type StandardJsonSchema } from "./schema/from-standard.ts";
export { type FunctionToolOptions, functionTool, type Integer } from "./schema/function-tool.ts";
export { type FunctionSignature, functionSignature } from "./schema/signature.ts";
export { createSession } from "./session.ts";
export type { Session, SessionOptions, SystemPrompt } from "./session-options.ts";
export { closeHistory } from "./take-up.ts";
export { defineTool, failed, type Tool, type ToolContext, type ToolOutput } from "./tool.ts";
export { displayText, refusal, toResult } from "./tool-result.ts";
export type { TranscriptStore } from "./transcript-store.ts";
export type { Limits, RateLimits } from "./turn.ts";

/** Runs sessions: the agent loop, tool calls, policy, permissions and limits. Uses no file system, network or screen. */
export { exampleArguments } from "./arguments/example.ts";
export { bareArguments, nearestName, type ToolNames, toolNames } from "./arguments/names.ts";
export { readArguments } from "./arguments/read.ts";
export { type ValidatedInput, validateInput } from "./arguments/validate.ts";
export type { Aside, AsideQuestion } from "./aside.ts";
export type { AuditAnswer, AuditCall, AuditEntry, AuditHook, AuditLog, AuditResult } from "./audit.ts";
export type { PersonsAnswer } from "./calls/ask-permission.ts";
export { type CallDesk, type CallDeskOptions, createCallDesk, type DeskCall } from "./calls/call-desk.ts";
export { policyQuestion, type QuestionSurroundings } from "./calls/examine-call.ts";
export type { RateLimits } from "./calls/rate-limits.ts";
export { createRunLock, type RunLock } from "./calls/run-lock.ts";
export { runToolCall, type ToolCallOptions } from "./calls/run-tool-call.ts";
export { createStopClock, type StopClock } from "./calls/stop-clock.ts";
export { type Clock, systemClock } from "./clock.ts";
export type { Compactor, Omission } from "./compactor.ts";
export type {
  CuratedCall,
  Curation,
  Curator,
  LineRange,
  LongOutput,
  OutputSummarizer,
} from "./curator.ts";
export type { DelegatedEnd, DelegatedWork } from "./delegated-work.ts";
export type { ExecutorInput, ExecutorState, TickResult } from "./executor/state.ts";
export { transition } from "./executor/transition.ts";
export { freshId } from "./fresh-id.ts";
export { announcesStep } from "./guards/announce.ts";
export { configError, HarnessError, type HarnessErrorCode, usageError } from "./harness-error.ts";
export type { HookAnswer, HookEvent, HookedCall, HookRun, Hooks, TurnMark } from "./hooks.ts";
export type { JsonSchemaType, ParametersSchema, ValueSchema } from "./json-schema.ts";
export type { Model, ModelRequest, ToolDefinition, WaitingPhase } from "./model.ts";
export { checkRule, type RiskOfProgram, type RuleProblem } from "./policy/check-rule.ts";
export { coversAnswer } from "./policy/covers-answer.ts";
export {
  type ConsideredRule,
  createPolicy,
  decide,
  type Explanation,
  explain,
  isOutside,
  type Policy,
} from "./policy/decide.ts";
export type { CallFacts, CommandFacts, Concern, TouchedPath } from "./policy/facts.ts";
export { coverage, widerScope } from "./policy/grants.ts";
export type { ClosedPlaces } from "./policy/path-filter.ts";
export type {
  ArgumentPattern,
  Decision,
  Freedoms,
  LoadedRules,
  PolicyQuestion,
  PolicyRule,
  PolicyStore,
  RuleConditions,
  RuleExample,
  RuleOrigin,
} from "./policy/rule.ts";
export { type UsableRules, usableRules } from "./policy/usable-rules.ts";
export type { AnswerForElsewhere, AskForTool, QuestionElsewhere } from "./question-elsewhere.ts";
export {
  createQuotedCalls,
  type FindCalls,
  type FoundCall,
  type QuotedCalls,
} from "./quoted/quoted-calls.ts";
export { createRegistry, type FoundTool, type ToolRegistry } from "./registry.ts";
export { compactTool } from "./schema/compact-tool.ts";
export { parametersFromStandard, type StandardJsonSchema } from "./schema/from-standard.ts";
export { type FunctionToolOptions, functionTool, type Integer } from "./schema/function-tool.ts";
export { type FunctionSignature, functionSignature } from "./schema/signature.ts";
export type { TranscriptStore } from "./session/event-outlet.ts";
export { type LeftOut, sentMessages } from "./session/sent-messages.ts";
export { createSession } from "./session/session.ts";
export type {
  AskedByServer,
  ModelAnswer,
  ServersRequest,
  Session,
  SessionOptions,
  SystemPrompt,
} from "./session/session-options.ts";
export { closeHistory } from "./session/take-up.ts";
export { createTranscript, type Transcript } from "./session/transcript.ts";
export {
  type CallMark,
  defineTool,
  type FailedOutput,
  failed,
  type Tool,
  type ToolContext,
  type ToolOutput,
} from "./tool.ts";
export { displayText, refusal, toResult } from "./tool-result.ts";
export { maxCallsInAnswer } from "./turn/cap-calls.ts";
export { defaultLimits, type Limits } from "./turn/limits.ts";
export { promptChars } from "./turn/prompt-size.ts";
export type { TurnEnd } from "./turn/turn-end.ts";
export type { Web, WebAnswer, WebRequest } from "./web.ts";

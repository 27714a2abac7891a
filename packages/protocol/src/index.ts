/** The data that the packages exchange: messages, events and commands, with their reducer and their NDJSON codec. */
export {
  agoText,
  countText,
  phaseText,
  promptProgressText,
  sizeText,
  timeText,
  tokensText,
} from "./amounts.ts";
export type { Command } from "./command.ts";
export { type CommandEnd, readCommandEnd } from "./command-end.ts";
export {
  type CommandFacts,
  type CommandName,
  commandFacts,
  commandTable,
  modeAtPermissions,
} from "./command-table.ts";
export { countDiff, type DiffCounts } from "./count-diff.ts";
export { cutDiffLine, isCutDiff } from "./cut-diff.ts";
export { defined } from "./defined.ts";
export { type Draft, draftMessage, emptyDraft, growDraft } from "./draft.ts";
export {
  type Achievement,
  type AnswerCut,
  type CutPlace,
  type EventBody,
  type EventEnvelope,
  type ExecutorStateName,
  type FoldedMessages,
  type LoopEvent,
  type ModelErrorCode,
  type ModelEvent,
  type ModelPhase,
  type PermissionAnswer,
  type PermissionConcern,
  type PermissionMode,
  type PermissionRequest,
  type PhaseOfCall,
  type PlanQuestion,
  type PromptProgress,
  permissionModes,
  type Risk,
  type SessionEvent,
  type ShortenedResult,
  type StopReason,
  type ToolEvent,
  type TurnEndReason,
} from "./event.ts";
export type * from "./host.ts";
export type * from "./hub.ts";
export {
  type ImageContent,
  type ImageType,
  imageBytes,
  imageLimits,
  imageLine,
  imageTypeOf,
  type ReadImages,
  readImages,
  textWithImages,
  tooManyImages,
} from "./image.ts";
export { isHardMarkdown } from "./is-hard-markdown.ts";
export { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
export { judgedDiff } from "./judged-diff.ts";
export { isLoopback } from "./loopback.ts";
export { type AttachedFile, isImageMention, type Mention, mentionsIn } from "./mentions.ts";
export type {
  AssistantMessage,
  DisplayMessage,
  Message,
  ModelMessage,
  SystemMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from "./message.ts";
export { createLineDecoder, type DecodedLine, encodeLine, type LineDecoder } from "./ndjson.ts";
export { nearWord, suggestion } from "./near-word.ts";
export { ordinaryJoiners } from "./ordinary-joiners.ts";
export { judgedLine, judgedText, plainJson, plainText, visibleLine, visibleText } from "./plain-text.ts";
export { answerTextOf, modesAfterPlan, type PlanApproval, planOf } from "./plan.ts";
export {
  answersOf,
  argumentLines,
  isDefaultRule,
  questionFacts,
  questionWarnings,
  scopeText,
  touchedText,
} from "./question-facts.ts";
export { type ReadCommand, readCommand } from "./read-command.ts";
export { type DiffBlock, readDiff } from "./read-diff.ts";
export { reasonOf } from "./reason-of.ts";
export { judgeRequest, type OwnOrigins, type Refusal, type RequestHead } from "./request-guard.ts";
export {
  type ClientKey,
  createPasses,
  type Passes,
  type PassParts,
  passText,
  proofText,
  readClientKey,
  UnknownServerError,
} from "./server-proof.ts";
export {
  type AsksModel,
  answerProblem,
  fitsField,
  modelRequestText,
  type QuestionAction,
  type QuestionAnswer,
  type QuestionField,
  type ReadValue,
  type RequestedMessage,
  readValue,
  type ServerQuestion,
} from "./server-question.ts";
export type { SessionLink } from "./session-link.ts";
export { createTaskList, type ShownTask, type TaskList, taskLines, taskMark } from "./task-list.ts";
export type { ToolErrorType, ToolResult, ToolResultMetadata } from "./tool-result.ts";
export { isToolScope, type ToolScope, toolScopes, toolScopeText } from "./tool-scope.ts";
export { applyEvent, emptyView, foldEvents, type PendingCall, type View } from "./view.ts";
export { waitingMemory } from "./waiting-memory.ts";

/** The data that the packages exchange: messages, events and commands, with their reducer and their NDJSON codec. */
export {
  agoText,
  phaseText,
  promptProgressText,
  sizeText,
  timeText,
  tokensText,
} from "./amounts.ts";
export { callWords } from "./call-words.ts";
export type { Command } from "./command.ts";
export { type CommandEnd, readCommandEnd } from "./command-end.ts";
export {
  type CommandOn,
  commandTable,
  type ScreenKind,
  type SlashCommandFacts,
  type SlashCommandName,
} from "./command-table.ts";
export { countDiff, type DiffCounts } from "./count-diff.ts";
export { countText } from "./count-text.ts";
export { cutDiffLine, isCutDiff } from "./cut-diff.ts";
export { defined } from "./defined.ts";
export { type Draft, draftMessage, emptyDraft, growDraft } from "./draft.ts";
export type {
  Achievement,
  EventBody,
  EventEnvelope,
  ExecutorStateName,
  FoldedMessages,
  LoopEvent,
  SessionEvent,
  ShortenedResult,
  ToolEvent,
  TurnEndReason,
} from "./event.ts";
export { exportEndings, exportFormats, formatOfFile } from "./export-format.ts";
export { type FolderChange, type FolderTrustChoice, readFolderChange } from "./folder-change.ts";
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
export { addressSecrets, maskAddresses, maskJudgedAddresses } from "./mask-addresses.ts";
export { type AttachedFile, isImageMention, type Mention, mentionsIn } from "./mentions.ts";
export type {
  AnswerOrigin,
  AssistantMessage,
  DisplayMessage,
  Message,
  ModelMessage,
  SystemMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from "./message.ts";
export type {
  AnswerCut,
  CutPlace,
  ModelErrorCode,
  ModelEvent,
  ModelPhase,
  PhaseOfCall,
  PromptProgress,
  StopReason,
} from "./model-event.ts";
export { createLineDecoder, type DecodedLine, encodeLine, type LineDecoder } from "./ndjson.ts";
export { nearWord, nearWords, suggestion } from "./near-word.ts";
export { allowingNumber, denialNumber, type OfferedChoice, offeredChoices } from "./offered-choices.ts";
export { ordinaryJoiners } from "./ordinary-joiners.ts";
export {
  type PermissionAnswer,
  type PermissionConcern,
  type PermissionMode,
  type PermissionOffer,
  type PermissionRequest,
  type PlanQuestion,
  permissionModes,
  type Risk,
} from "./permission-request.ts";
export type { PermissionGrade, WiderScope } from "./permission-scope.ts";
export {
  joinedLine,
  judgedLine,
  judgedText,
  plainJson,
  plainText,
  visibleLine,
  visibleLines,
  visibleText,
} from "./plain-text.ts";
export { modesAfterPlan, type PlanApproval, planOf } from "./plan.ts";
export {
  answersOf,
  argumentLines,
  coversText,
  type GradeText,
  gradeText,
  isDefaultRule,
  maxShortPaths,
  offerDetails,
  placeText,
  questionFacts,
  questionWarnings,
  scopeText,
  shortFacts,
  touchedText,
  unnamedPaths,
  widerAnswers,
  widerText,
} from "./question-facts.ts";
export { type ReadCommand, readCommand } from "./read-command.ts";
export { type DiffBlock, readDiff } from "./read-diff.ts";
export { reasonOf } from "./reason-of.ts";
export { judgeRequest, type OwnOrigins, type Refusal, type RequestHead } from "./request-guard.ts";
export {
  type AnswerGiven,
  type CodeReply,
  type FirstEvents,
  type HostMethod,
  type HubReply,
  keyRefusedCode,
  type MethodReply,
  type RoomState,
  type RoomsChange,
  readSocketMessage,
  roomsAfter,
  type SessionsReply,
  type ShellLine,
  type SocketMessage,
} from "./server-client/messages.ts";
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
  answerGoesText,
  answerProblem,
  askerText,
  fitsField,
  modelRequestText,
  numberedChoices,
  type QuestionAction,
  type QuestionAnswer,
  type QuestionField,
  type ReadValue,
  type RequestedMessage,
  readValue,
  type ServerQuestion,
  typedKind,
} from "./server-question.ts";
export type { SessionLink } from "./session-link.ts";
export { createTaskList, type ShownTask, type TaskList, taskLines, taskMark } from "./task-list.ts";
export { type ThemeName, themeNames } from "./theme-name.ts";
export type { Activity } from "./timeline/activity.ts";
export type { CallItem, CallState, Item, ItemOf } from "./timeline/item.ts";
export type { TimelineChange } from "./timeline/item-list.ts";
export { keptEvent, maxKeptChars } from "./timeline/kept-result.ts";
export { createTimeline, foldItems, type Timeline } from "./timeline/timeline.ts";
export type { ToolErrorType, ToolResult, ToolResultMetadata } from "./tool-result.ts";
export { isToolScope, type ToolScope, toolScopes, toolScopeText } from "./tool-scope.ts";
export { applyEvent, emptyView, foldEvents, type PendingCall, type View } from "./view.ts";
export { waitingMemory } from "./waiting-memory.ts";

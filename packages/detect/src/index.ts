/** The public interface of the package: it turns model text into tool calls, and tool calls into model text. */
export { createDetector, detect } from "./detector.ts";
export type { FormatInfo } from "./formats/format.ts";
export { formatsForModel } from "./formats/formats-for-model.ts";
export { formats } from "./formats/table.ts";
export { mergeDeltas } from "./merge-deltas.ts";
export { exampleCall, toMessages, toPrompt } from "./messages.ts";
export { type Summary, summarize } from "./summarize.ts";
export type {
  CallFormat,
  CustomFormat,
  DetectEvent,
  Detector,
  DetectorOptions,
  FormatId,
  JsonSchema,
  JsonValue,
  Repair,
  TextMessage,
  ToolCallErrorReason,
  ToolSchema,
  WrittenTurn,
} from "./types.ts";

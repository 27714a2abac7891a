/** Model text to tool calls, and tool calls to model text: the public interface of the package. */
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
  Turn,
} from "./types.ts";

/** Runs a session: loop, executor, policy, permissions, limits, registry. No file system, network or screen. */
export { type Clock, systemClock } from "./clock.ts";
export { HarnessError, type HarnessErrorCode } from "./harness-error.ts";
export type { JsonSchema, JsonSchemaType, ParametersSchema } from "./json-schema.ts";
export type { Model, ModelRequest, ToolDefinition } from "./model.ts";
export type { Decision, PolicyQuestion, PolicyRule, PolicyStore } from "./policy/rule.ts";
export { defineTool, failed, type Tool, type ToolContext, type ToolOutput } from "./tool.ts";
export type { TranscriptStore } from "./transcript-store.ts";

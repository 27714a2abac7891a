/** Text tool calls for every model of the AI SDK: `wrapLanguageModel({ model, middleware: toolCalls() })`. */
export { type ToolCallsOptions, toolCalls } from "./tool-calls.ts";

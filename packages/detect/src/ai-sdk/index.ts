/** The middleware that gives any AI SDK model text tool calls: `wrapLanguageModel({ model, middleware: toolCalls() })`. */
export { closedTool } from "./reading.ts";
export { type ToolCallsOptions, toolCalls } from "./tool-calls.ts";

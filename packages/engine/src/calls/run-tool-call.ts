/** Runs one call without a model, with the same validation, policy, permission and execution as in a session. */
import { defined, type PermissionMode, type ToolResult } from "@localharness/protocol";
import { type CallDeskOptions, createCallDesk, type DeskCall } from "./call-desk.ts";

export interface ToolCallOptions
  extends Omit<CallDeskOptions, "mode" | "notice" | "limits">,
    Omit<DeskCall, "registry"> {
  readonly mode?: PermissionMode;
}

/** Resolves to the result of the call. */
export async function runToolCall(options: ToolCallOptions): Promise<ToolResult> {
  const { mode = "default", id = "call_1", name, arguments: given, ...rest } = options;
  const { turnId, signal, answer, emit, ...surroundings } = rest;
  const desk = createCallDesk({ ...surroundings, ...defined({ notice: emit }), mode: () => mode });
  return await desk.run({ id, name, arguments: given, ...defined({ turnId, signal, answer, emit }) });
}

/**
 * Writes the notes that tell the model when the mode `plan` begins and ends. A note is a new message; earlier messages do
 * not change.
 */
import {
  isJsonObject,
  type JsonValue,
  type Message,
  type PermissionMode,
  type ToolMessage,
} from "@localharness/protocol";
import { planToolName } from "./plan-tool.ts";

const planOn = `Mode plan is on: look at whatever you need, change nothing. Calls that could change something are denied. When you know what to do, call ${planToolName}: the person approves your plan, edits it or refuses it. If nothing has to be changed, just answer.`;
const planOff =
  "Mode plan is off: you may make changes now. The person is asked about those that need permission.";

/**
 * Returns the note for the model; undefined if the last note is still right. `told` is true if the last note said that the mode
 * `plan` is on.
 */
export function planNote(told: boolean, mode: PermissionMode): string | undefined {
  if (told === (mode === "plan")) return undefined;
  return told ? planOff : planOn;
}

/**
 * Returns true if the model was last told that the mode `plan` is on. The result of an approved plan counts as a note that the
 * mode is off.
 */
export function wasToldOfPlan(messages: readonly Message[]): boolean {
  const last = messages.findLast((message) =>
    message.role === "user"
      ? message.from === "harness" && (message.content === planOn || message.content === planOff)
      : message.role === "tool" && isApproval(message),
  );
  return last?.role === "user" && last.content === planOn;
}

function isApproval({ toolName, content }: ToolMessage): boolean {
  if (toolName !== planToolName) return false;
  try {
    const result = JSON.parse(content) as JsonValue;
    return isJsonObject(result) && result["success"] === true;
  } catch {
    return false;
  }
}

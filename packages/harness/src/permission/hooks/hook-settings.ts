/** Parses the hooks of a configuration: the event and tool of each hook, and its program. */
import type { HookEvent } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";

export interface HookSetting {
  readonly event: HookEvent;
  /** A tool's name, with `*` for any characters; absent for every tool. */
  readonly tool?: string;
  readonly command: readonly string[];
  /** The time limit in seconds. */
  readonly timeout?: number;
  /** True if a failure of the hook blocks the call. */
  readonly required?: boolean;
}

export const hooksExpected =
  'a list such as [{"event": "before-tool", "tool": "bash", "command": ["/path/to/check"], "timeout": 10, "required": true}]; event is before-tool, after-tool or turn-end';

const events = ["before-tool", "after-tool", "turn-end"];
const maxTimeoutSeconds = 3_600;

const properties: JsonObject & Record<keyof HookSetting, JsonObject> = {
  event: { enum: events },
  tool: { type: "string", minLength: 1 },
  command: { type: "array", minItems: 1, items: { type: "string", minLength: 1 } },
  timeout: { type: "number", exclusiveMinimum: 0, maximum: maxTimeoutSeconds },
  required: { type: "boolean" },
};

/** The JSON Schema of a list of hooks. */
export const hooksSchema: JsonObject = {
  type: "array",
  items: { type: "object", properties, required: ["event", "command"], additionalProperties: false },
};

/** Returns the hooks; undefined if the value is not a list of valid hooks. */
export function readHookSettings(value: JsonValue): readonly HookSetting[] | undefined {
  if (!Array.isArray(value) || !value.every(isHook)) return undefined;
  return value as unknown as readonly HookSetting[];
}

function isHook(value: JsonValue): boolean {
  if (!isJsonObject(value) || Object.keys(value).some((key) => !Object.hasOwn(properties, key))) return false;
  const { event, tool, command, timeout, required } = value;
  return (
    events.some((one) => one === event) &&
    (tool === undefined || (typeof tool === "string" && tool !== "" && event !== "turn-end")) &&
    Array.isArray(command) &&
    command.length > 0 &&
    command.every((word) => typeof word === "string" && word !== "" && !word.includes("\0")) &&
    (timeout === undefined || (typeof timeout === "number" && timeout > 0 && timeout <= maxTimeoutSeconds)) &&
    (required === undefined || typeof required === "boolean")
  );
}

/**
 * Returns true if the program is an absolute path or a name that is searched in PATH. A relative path means a file of
 * the workspace.
 */
export function isOwnProgram([program = ""]: readonly string[]): boolean {
  return program.startsWith("/") || !program.includes("/");
}

/** Returns true if a hook applies to the tool of that name. */
export function matchesTool({ tool }: HookSetting, name: string): boolean {
  if (tool === undefined) return true;
  const [first = "", ...rest] = tool.split("*");
  if (rest.length === 0) return name === tool;
  if (!name.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest.slice(0, -1)) {
    const found = name.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  const last = rest.at(-1) ?? "";
  return name.length - last.length >= at && name.endsWith(last);
}

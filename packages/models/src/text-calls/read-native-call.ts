/** Reads the name and the arguments of a native call in the spellings in which calls from text are read. */
import type { Repair } from "@localharness/detect";
import { bareArguments, readArguments, type ToolDefinition, type ToolNames } from "@localharness/engine";
import type { JsonObject, ModelEvent } from "@localharness/protocol";
import { parseObject } from "../answer/arguments-object.ts";
import { type Repaired, repairArguments } from "./repair-arguments.ts";

type CallEnd = Extract<ModelEvent, { type: "tool-call-end" }>;

/** Returns the name of the only tool on offer that `name` means; `name` itself if there is none. */
export function offeredName(name: string, names: ToolNames<ToolDefinition>): string {
  return names.resolve(name)?.name ?? name;
}

/** Returns the call with the name of the tool on offer and, if its text can be read as one object, with that object. */
export function readNativeCall(call: CallEnd, names: ToolNames<ToolDefinition>): CallEnd {
  const tool = names.resolve(call.name);
  const read = typeof call.arguments === "string" ? readText(tool, call.arguments) : undefined;
  const isRenamed = tool !== undefined && tool.name !== call.name;
  const repairs = [...(isRenamed ? ["tool-name"] : []), ...(read?.repairs ?? [])];
  return {
    ...call,
    name: tool?.name ?? call.name,
    arguments: read?.arguments ?? call.arguments,
    ...(repairs.length === 0 ? {} : { repairs }),
  };
}

/** Returns undefined if the text is the JSON of an object, or cannot be read as one. */
function readText(tool: ToolDefinition | undefined, text: string): Repaired | undefined {
  if (parseObject(text) !== undefined) return undefined;
  const read = readArguments(text);
  if (read.ok) return { arguments: read.value, repairs: [repairOf(bareArguments(text), read.value)] };
  if (tool === undefined || !read.sound) return undefined;
  return repairArguments(tool, inner(text)) ?? repairArguments(tool, text);
}

/** Returns the repair that turns arguments in an unusual shape into an object. */
function repairOf(bare: string, value: JsonObject): Repair {
  if (bare.startsWith('"')) return "stringified-arguments";
  if (bare.startsWith("{")) return "wrong-end-tag";
  return Object.keys(value).length === 0 ? "missing-arguments" : "extra-closer";
}

/** Returns the text in a JSON string, or the text itself. */
function inner(text: string): string {
  const bare = bareArguments(text);
  if (!bare.startsWith('"')) return text;
  try {
    return String(JSON.parse(bare));
  } catch {
    return text;
  }
}

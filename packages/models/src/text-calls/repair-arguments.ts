/** Repairs the arguments of a native call that are not JSON, if the repair loses nothing and adds nothing. */
import { detect, type Repair } from "@localharness/detect";
import { bareArguments, type ToolDefinition } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { createObjectEnd } from "../answer/object-end.ts";

export interface Repaired {
  readonly arguments: JsonObject;
  readonly repairs: readonly Repair[];
}

/** The repairs that may hide a missing part or lose a part. Text that needs one of them is not repaired. */
const guessing = new Set<Repair>([
  "missing-open-tag",
  "missing-end-tag",
  "half-end-tag",
  "wrong-end-tag",
  "missing-closer",
  "missing-arguments",
  "near-name",
  "dropped-key",
]);

/**
 * Returns the arguments as an object, and the repairs that were made. Returns undefined if the text cannot be read as one
 * object without a guess.
 */
export function repairArguments(tool: ToolDefinition, text: string): Repaired | undefined {
  const body = bareArguments(text);
  if (!body.startsWith("{") || !body.endsWith("}")) return undefined;
  return holdsMoreThanOne(tool, body) ? undefined : readBody(tool, body);
}

/**
 * Returns true for text such as `{"command":"ls"}{"command":"pwd"}`, which is two calls that arrived as one. Read as a
 * single object with unescaped quotes, it would give a call that the model did not make.
 */
function holdsMoreThanOne(tool: ToolDefinition, body: string): boolean {
  return (['"', "\"'"] as const).some((quotes) => {
    const end = createObjectEnd(quotes);
    end.push(body);
    // Surplus closing brackets are harmless. Any other text after the object may be a second call.
    if (end.at === undefined || /^[\s}\]]*$/.test(body.slice(end.at))) return false;
    return readBody(tool, body.slice(0, end.at)) !== undefined;
  });
}

function readBody(tool: ToolDefinition, body: string): Repaired | undefined {
  const written = `<tool_call>{"name": ${JSON.stringify(tool.name)}, "arguments": ${body}}</tool_call>`;
  const events = detect(written, {
    tools: [{ name: tool.name, parameters: { ...tool.parameters } }],
    format: "hermes",
  });
  const ends = events.filter((event) => event.type === "tool-call-end");
  const others = events.filter(
    (event) => !event.type.startsWith("tool-call-") || event.type === "tool-call-error",
  );
  const [end] = ends;
  if (end === undefined || ends.length > 1 || others.length > 0) return undefined;
  if (end.repairs.some((repair) => guessing.has(repair))) return undefined;
  return { arguments: end.arguments, repairs: end.repairs };
}

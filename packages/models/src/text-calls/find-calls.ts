/** Returns the calls, in any format, that a text given to a model contains. */
import { detect } from "@localharness/detect";
import type { FoundCall, ToolDefinition } from "@localharness/engine";

export function findCalls(text: string, tools: readonly ToolDefinition[]): readonly FoundCall[] {
  const offered = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: { ...parameters },
  }));
  return detect(text, { tools: offered }).flatMap((event) =>
    event.type === "tool-call-end" ? [{ name: event.name, arguments: event.arguments }] : [],
  );
}

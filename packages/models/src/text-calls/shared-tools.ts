/** Returns one list for equal lists of tools, because the detector prepares much for each list that it gets. */
import type { ToolSchema } from "@localharness/detect";
import type { ToolDefinition } from "@localharness/engine";

/** The maximum number of lists that are kept. A list with what the detector prepares for it takes about 0.4 MB. */
const maxKept = 16;

const kept = new Map<string, readonly ToolSchema[]>();

/** Returns the tools as the detector takes them: the same object for equal tools, whichever session has them. */
export function sharedTools(tools: readonly ToolDefinition[]): readonly ToolSchema[] {
  const key = JSON.stringify(
    tools.map(({ name, description, parameters }) => [name, description, parameters]),
  );
  const shared = kept.get(key) ?? copyOf(tools);
  // The list that was used last is kept longest.
  kept.delete(key);
  kept.set(key, shared);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  return shared;
}

/** Copies the tools, because their owner may change them. */
function copyOf(tools: readonly ToolDefinition[]): readonly ToolSchema[] {
  return tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parameters: { ...structuredClone(parameters) },
  }));
}

/** Creates small real tools for tests. */
import type { Tool, ToolOutput } from "@localharness/engine";

/** Returns a read-only, safe tool that echoes its arguments; `more` replaces what the test is about. */
export function makeTool(more: Partial<Tool> = {}): Tool {
  return {
    name: "look",
    description: "Looks at something.",
    parameters: { type: "object", properties: { path: { type: "string" } } },
    risk: "safe",
    readOnly: true,
    execute: (args) => Promise.resolve(done(`looked at ${JSON.stringify(args)}`)),
    ...more,
  };
}

export function done(data: string): ToolOutput {
  return { ok: true, data };
}

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** `get_current_time`: date and time. */
import { defineTool, type Tool } from "@localharness/engine";
import type { ToolResources } from "../resources.ts";
import { isoLocal } from "../show.ts";

export function getCurrentTime(resources: ToolResources): Tool {
  return defineTool({
    name: "get_current_time",
    description: "The current date and time (ISO 8601).",
    parameters: { type: "object", properties: {} },
    aliases: ["current_time", "get_time", "time", "now", "get_date", "date"],
    risk: "safe",
    readOnly: true,
    polls: true,
    execute: async () => ({ ok: true, data: isoLocal(new Date(resources.clock.now())) }),
  });
}

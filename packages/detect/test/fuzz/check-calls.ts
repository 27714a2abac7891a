/** Checks that no call is made up, and that arguments are plain JSON that cannot reach a prototype. */
import type { DetectEvent, ToolSchema } from "../../src/index.ts";

/** Returns what is wrong with the calls; undefined when nothing is. */
export function checkCalls(events: readonly DetectEvent[], tools: readonly ToolSchema[]): string | undefined {
  for (const event of events) {
    if (event.type !== "tool-call-end" && event.type !== "tool-call-start") continue;
    if (!tools.some((tool) => tool.name === event.name)) {
      return `a call of ${event.name}, which is not on offer`;
    }
    if (event.type === "tool-call-end") {
      const problem = notJson(event.arguments, "arguments");
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** Returns why the value would not come back the same from JSON; undefined if it would. */
function notJson(value: unknown, path: string): string | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} is ${value}`;
  if (typeof value !== "object") return `${path} is ${typeof value}`;
  if (Object.hasOwn(value, "__proto__")) return `${path} has the key __proto__`;
  const prototype: unknown = Array.isArray(value) ? Array.prototype : Object.prototype;
  if (Object.getPrototypeOf(value) !== prototype) return `${path} has another prototype`;
  for (const [key, item] of Object.entries(value)) {
    const problem = notJson(item, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const objectKeys = Object.getOwnPropertyNames(Object.prototype).length;
const arrayKeys = Object.getOwnPropertyNames(Array.prototype).length;

export function isPolluted(): boolean {
  return (
    Object.getOwnPropertyNames(Object.prototype).length !== objectKeys ||
    Object.getOwnPropertyNames(Array.prototype).length !== arrayKeys
  );
}

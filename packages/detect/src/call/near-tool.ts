/** Finds the tool that is meant by a call with an unknown name: the only one that the call's arguments fit. */
import { parametersSchema, propertyNames, requiredNames } from "@localharness/schema";
import type { JsonValue, ToolSchema } from "../types.ts";

/**
 * Returns the only tool that the arguments fit, if the tool's name is similar to the given one. If the given name is a number
 * (the number of the call), the arguments alone decide. Returns undefined for an empty name or a call without arguments.
 */
export function nearTool(
  name: string,
  args: { readonly [key: string]: JsonValue },
  tools: readonly ToolSchema[],
): ToolSchema | undefined {
  const keys = Object.keys(args);
  if (name === "" || keys.length === 0) return undefined;
  const counter = /^\d+$/.test(name);
  const fitting = tools.filter((tool) => fits(keys, tool));
  const only = fitting.length === 1 ? fitting[0] : undefined;
  return only && (counter || isNear(name, only.name)) ? only : undefined;
}

function fits(keys: readonly string[], tool: ToolSchema): boolean {
  const schema = parametersSchema(tool.parameters);
  const declared = new Set(propertyNames(schema));
  return keys.every((key) => declared.has(key)) && requiredNames(schema).every((key) => keys.includes(key));
}

/** Returns true if at least half of all words are in both names, or at most two letters differ and `other` has over four. */
function isNear(name: string, other: string): boolean {
  const left = wordsOf(name);
  const right = wordsOf(other);
  const shared = [...left].filter((word) => right.has(word)).length;
  const all = new Set([...left, ...right]).size;
  return (all > 0 && shared / all >= 0.5) || (other.length > 4 && distance(name, other) <= 2);
}

function wordsOf(name: string): Set<string> {
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return new Set(words.filter((word) => word !== ""));
}

/** Returns the edit distance without regard to case; 3 if it is above 2, or if `left` has more than 64 characters. */
function distance(left: string, right: string): number {
  if (Math.abs(left.length - right.length) > 2 || left.length > 64) return 3;
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const same = left[i - 1]?.toLowerCase() === right[j - 1]?.toLowerCase() ? 0 : 1;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same));
    }
    row = next;
  }
  return Math.min(3, row[right.length] ?? 3);
}

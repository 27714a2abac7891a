/** Reads recorded cases: a model's text, the tools it had, and the expected calls. */
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import type { DetectorOptions, JsonValue, ToolSchema } from "@localharness/detect";
import { closedTool } from "@localharness/detect/ai-sdk";

export interface Case {
  readonly id: string;
  /** The project whose tests have the case. `aisdk` is a middleware of the AI SDK. */
  readonly source: string;
  readonly family: string;
  readonly kind: "calls" | "repair" | "none" | "open";
  readonly text: string;
  readonly chunks?: readonly string[];
  readonly tools: readonly { readonly function: ToolSchema }[];
  readonly expected: readonly { readonly name: string; readonly arguments: JsonValue }[];
  readonly content?: string | null;
  readonly reasoning?: string | null;
  /** With `partial`, the found calls may have further arguments. */
  readonly args_asserted?: "exact" | "partial" | "none" | null;
  readonly starts_in_reasoning?: boolean | null;
}

export async function readCases(file: string): Promise<Case[]> {
  const cases: Case[] = [];
  for await (const line of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (line.trim() !== "") cases.push(JSON.parse(line) as Case);
  }
  return cases;
}

/** Returns the options that an adapter would pass. Cases of `aisdk` get the tools as our AI SDK middleware passes them. */
export function optionsOf(one: Case): DetectorOptions {
  const tools = one.tools.map((tool) => tool.function);
  return {
    tools: one.source === "aisdk" ? tools.map(closedTool) : tools,
    model: one.family,
    ...(one.starts_in_reasoning ? { startsInReasoning: true } : {}),
  };
}

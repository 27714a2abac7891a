/**
 * Reads the setting `profiles`: what the person says about single models. It takes precedence over the findings of the
 * doctor.
 */
import { formatsToTry } from "@localharness/models/formats-to-try";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import type { EditForm, ToolSet } from "./tried-profile.ts";

/** What the person says about one model. */
export interface OwnProfile {
  readonly tool_calls?: "native" | "text";
  readonly format?: ReturnType<typeof formatsToTry>[number];
  readonly starts_in_reasoning?: boolean;
  /** The tokens that the model really sees. */
  readonly window?: number;
  readonly edits?: EditForm;
  readonly tools?: ToolSet;
  /** How often a turn asks the model to go on after it announced a step without a call. */
  readonly nudges?: number;
}

const isOneOf =
  (...values: readonly string[]) =>
  (value: JsonValue) =>
    typeof value === "string" && values.includes(value);
const isBetween = (least: number, most: number) => (value: JsonValue) =>
  Number.isInteger(value) && Number(value) >= least && Number(value) <= most;

const checks: Readonly<Record<keyof OwnProfile, (value: JsonValue) => boolean>> = {
  tool_calls: isOneOf("native", "text"),
  format: isOneOf(...formatsToTry("")),
  starts_in_reasoning: (value) => typeof value === "boolean",
  window: isBetween(256, 16_777_216),
  edits: isOneOf("text", "lines", "file"),
  tools: isOneOf("standard", "minimal"),
  nudges: isBetween(0, 20),
};

export const ownProfilesExpected = `profiles by model, such as {"qwen3:8b": {"edits": "lines"}}, with ${Object.keys(checks).join(", ")} (docs/doctor.md)`;

/** Returns the value if every profile in it is valid, or else undefined. Text is read as JSON. */
export function readOwnProfiles(value: JsonValue): JsonValue | undefined {
  const source = typeof value === "string" ? readJsonSource(value) : { ok: true as const, value };
  if (!source.ok || !isJsonObject(source.value)) return undefined;
  return Object.values(source.value).every(isProfile) ? source.value : undefined;
}

function isProfile(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(([name, part]) => checks[name as keyof OwnProfile]?.(part) === true)
  );
}

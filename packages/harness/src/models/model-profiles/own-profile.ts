/**
 * Reads the setting `profiles`: what the person says about single models. It takes precedence over the findings of the
 * doctor.
 */
import { formatsToTry } from "@localharness/models/formats-to-try";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { readJsonSource } from "@localharness/store/json-source";
import { byModel, type ValueCheck } from "../../config/value-checks.ts";
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

interface Check {
  readonly schema: JsonObject;
  isRight(value: JsonValue): boolean;
}

const oneOf = (...choices: readonly string[]): Check => ({
  schema: { enum: [...choices] },
  isRight: (value) => typeof value === "string" && choices.includes(value),
});
const between = (minimum: number, maximum: number): Check => ({
  schema: { type: "integer", minimum, maximum },
  isRight: (value) => Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
});

const checks: Readonly<Record<keyof OwnProfile, Check>> = {
  tool_calls: oneOf("native", "text"),
  format: oneOf(...formatsToTry("")),
  starts_in_reasoning: { schema: { type: "boolean" }, isRight: (value) => typeof value === "boolean" },
  window: between(256, 16_777_216),
  edits: oneOf("text", "lines", "file"),
  tools: oneOf("standard", "minimal"),
  nudges: between(0, 20),
};

/** Returns the check of the setting `profiles`. */
export function ownProfiles(): ValueCheck<OwnProfiles> {
  const schemas = Object.entries(checks).map(([name, { schema }]) => [name, schema] as const);
  return {
    expected: `profiles by model, such as {"qwen3:8b": {"edits": "lines"}}, with ${Object.keys(checks).join(", ")} (docs/doctor.md)`,
    schema: byModel(Object.fromEntries(schemas)),
    read: readOwnProfiles,
  };
}

type OwnProfiles = Readonly<Record<string, OwnProfile>>;

/** Returns the value if every profile in it is valid, or else undefined. Text is read as JSON. */
function readOwnProfiles(value: JsonValue): OwnProfiles | undefined {
  const source = typeof value === "string" ? readJsonSource(value) : { ok: true as const, value };
  if (!source.ok || !isJsonObject(source.value)) return undefined;
  return Object.values(source.value).every(isProfile) ? (source.value as OwnProfiles) : undefined;
}

function isProfile(value: JsonValue): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(([name, part]) => checks[name as keyof OwnProfile]?.isRight(part) === true)
  );
}

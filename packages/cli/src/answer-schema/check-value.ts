/** A value against a JSON Schema, to the letter. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

export type ValueCheck =
  /** What is wrong with a value, at most ten sentences; empty when it follows the schema. */
  | { readonly ok: true; readonly problemsOf: (value: JsonValue) => readonly string[] }
  /** The schema cannot be checked as a whole. */
  | { readonly ok: false; readonly problem: string };

const mostProblems = 10;

const options: Options = {
  allErrors: true,
  // A word that nobody knows restricts nothing: it is refused before the model is asked for anything.
  strictSchema: true,
  allowMatchingProperties: true,
  strictTypes: false,
  strictTuples: false,
  validateFormats: false,
  ownProperties: true,
  multipleOfPrecision: 9,
  logger: false,
  code: { regExp: Object.assign(regularExpression, { code: "" }) },
};

/** By draft 2020-12 where `$schema` names none, else by the one it names: 2020-12 or 7. */
export function createValueCheck(schema: JsonObject): ValueCheck {
  const { $schema = "2020-12" } = schema;
  const draft = String($schema);
  if (!/2020-12|draft-07/.test(draft))
    return {
      ok: false,
      problem: `"$schema" expects draft 2020-12 or draft-07, got ${JSON.stringify(draft)}`,
    };
  const ajv = draft.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  try {
    const check = ajv.compile(schema);
    if ("$async" in check) return { ok: false, problem: '"$async" cannot be checked here' };
    const problemsOf = (value: JsonValue) =>
      check(value) ? [] : (check.errors ?? []).slice(0, mostProblems).map(sentence);
    return { ok: true, problemsOf };
  } catch (error) {
    return { ok: false, problem: reasonOf(error) };
  }
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return `$${instancePath} ${message ?? "is not right"}${detail === undefined ? "" : `: ${JSON.stringify(detail)}`}`;
}

/** With the rules for Unicode where the text keeps to them. */
function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(text);
  }
}

/** Checks a value against a JSON Schema exactly, without coercion. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";

export type ValueCheck =
  /** `problemsOf` returns the problems of a value, at most ten sentences; empty if the value follows the schema. */
  | { readonly ok: true; readonly problemsOf: (value: JsonValue) => readonly string[] }
  /** The schema is invalid, or has a part that cannot be checked. */
  | { readonly ok: false; readonly problem: string };

const maxProblems = 10;

const options: Options = {
  allErrors: true,
  // An unknown keyword would restrict nothing, so such a schema is refused before the model is called.
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

/** Compiles a schema of the draft that `$schema` names: 2020-12 (the default) or draft-07. Never throws. */
export function createValueCheck(schema: JsonObject): ValueCheck {
  const { $schema = "2020-12" } = schema;
  const draft = String($schema);
  if (!/2020-12|draft-07/.test(draft)) {
    return {
      ok: false,
      problem: `"$schema" expects draft 2020-12 or draft-07, got ${JSON.stringify(draft)}`,
    };
  }
  const ajv = draft.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  try {
    const check = ajv.compile(schema);
    if ("$async" in check) return { ok: false, problem: '"$async" cannot be checked here' };
    const problemsOf = (value: JsonValue) =>
      check(value) ? [] : (check.errors ?? []).slice(0, maxProblems).map(sentence);
    return { ok: true, problemsOf };
  } catch (error) {
    return { ok: false, problem: reasonOf(error) };
  }
}

function sentence({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return `$${instancePath} ${message ?? "is invalid"}${detail === undefined ? "" : `: ${JSON.stringify(detail)}`}`;
}

/** Compiles a pattern with the `u` flag, or without the flag if the pattern is valid only without it. */
function regularExpression(text: string): RegExp {
  try {
    return new RegExp(text, "u");
  } catch {
    return new RegExp(text);
  }
}

/** The part of JSON Schema that tools use for their parameters: short, flat schemas, which small models read well. */
import type { JsonValue } from "@localharness/protocol";

export type JsonSchemaType = "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";

export interface ValueSchema {
  readonly type?: JsonSchemaType | readonly JsonSchemaType[];
  readonly description?: string;
  readonly enum?: readonly JsonValue[];
  readonly const?: JsonValue;
  readonly default?: JsonValue;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  /** The schemas of undeclared keys, by a regular expression that matches a part of the key; `false` forbids such keys. */
  readonly patternProperties?: Readonly<Record<string, ValueSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | ValueSchema;
  readonly items?: ValueSchema;
  readonly anyOf?: readonly ValueSchema[];
  readonly oneOf?: readonly ValueSchema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** A JavaScript regular expression that must match a part of the text. An invalid expression is ignored. */
  readonly pattern?: string;
  /** `path` marks text that names a file. A number is never converted to such text, and models do not see the mark. */
  readonly format?: string;
  readonly examples?: readonly JsonValue[];
}

/** The schema of a tool's parameters: always an object. */
export interface ParametersSchema extends ValueSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, ValueSchema>>;
}

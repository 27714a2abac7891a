/** The values of the grid, one of each kind, and how each notation writes them. */
import type { Notation } from "../../src/formats/rules.ts";
import type { JsonValue, ToolSchema } from "../../src/index.ts";
import { gemmaValue } from "../../src/write/gemma-text.ts";
import { pythonCall } from "../../src/write/python-text.ts";
import { yamlMapping } from "../../src/write/yaml-text.ts";

export type Kind =
  | "text"
  | "lines"
  | "option"
  | "integer"
  | "number"
  | "boolean"
  | "null"
  | "list"
  | "object";

interface Sample {
  readonly value: JsonValue;
  readonly schema: { readonly [keyword: string]: unknown };
}

export const samples: { readonly [kind in Kind]: Sample } = {
  text: { value: "rose garden", schema: { type: "string" } },
  lines: { value: "red rose\n  thorn\n", schema: { type: "string" } },
  option: { value: "fast", schema: { type: "string", enum: ["fast", "slow"] } },
  integer: { value: 4711, schema: { type: "integer" } },
  number: { value: 2.75, schema: { type: "number" } },
  boolean: { value: true, schema: { type: "boolean" } },
  null: { value: null, schema: { type: ["integer", "null"] } },
  list: { value: ["mon", "tue"], schema: { type: "array", items: { type: "string" } } },
  object: {
    value: { day: "mon", hour: 9 },
    schema: { type: "object", properties: { day: { type: "string" }, hour: { type: "integer" } } },
  },
};

export const kinds = Object.keys(samples) as readonly Kind[];

/** Returns the tools on offer: one whose argument `planting_plan` has the schema, between two texts. */
export function toolsFor(schema: { readonly [keyword: string]: unknown }): readonly ToolSchema[] {
  const text = { type: "string" };
  const properties = { first_note: text, planting_plan: schema, last_note: text };
  const key = JSON.stringify(schema);
  const known = offers.get(key) ?? [
    {
      name: "plant_bed",
      parameters: { type: "object", properties, required: ["first_note", "planting_plan"] },
    },
  ];
  offers.set(key, known);
  return known;
}

/** The tools by schema. A detector for the same tools is made in less time. */
const offers = new Map<string, readonly ToolSchema[]>();

/** Returns the value as the notation writes it. `quote` is the token around texts in Gemma's notation. */
export function literal(value: JsonValue, notation: Notation, quote: string): string {
  switch (notation) {
    case "json":
      return JSON.stringify(value);
    case "python":
      return pythonCall({ name: "", arguments: { x: value } }).slice("(x=".length, -1);
    case "gemma":
      return gemmaValue(value, quote);
    case "yaml":
      return yamlMapping({ x: value }).slice("x:".length);
    default:
      return typeof value === "string" ? value : JSON.stringify(value);
  }
}

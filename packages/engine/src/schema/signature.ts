/** Reads the description and the parameters of a tool from the source text of a typed function with doc comments. */
import { HarnessError } from "../harness-error.ts";
import type { ParametersSchema, ValueSchema } from "../json-schema.ts";
import { readDoc } from "./doc-comment.ts";
import { type Token, tokenize } from "./tokens.ts";
import { accept, type Cursor, described, expect, parseType, peek } from "./type-parser.ts";

export interface FunctionSignature {
  readonly name: string;
  readonly description: string;
  readonly parameters: ParametersSchema;
  /** The names of the parameters, in order; absent when the function takes one object. */
  readonly positional?: readonly string[];
}

interface Parameter {
  readonly name: string | undefined;
  readonly schema: ValueSchema;
  readonly optional: boolean;
}

/**
 * Returns the signature of `function NAME(...)` in TypeScript source. The doc comment is the description; `@param` and the
 * doc comments of properties describe the parameters. A parameter of type `ToolContext` is left out, because the tool
 * passes the context of the call. Throws `schema-invalid` if the function is missing, if `parseType` cannot read a type,
 * or if an object type with properties is not the only parameter.
 */
export function functionSignature(source: string, name: string): FunctionSignature {
  const tokens = tokenize(source);
  const at = tokens.findIndex(
    (token, index) => token.text === name && tokens[index - 1]?.text === "function",
  );
  if (at === -1) {
    throw new HarnessError(
      "schema-invalid",
      `expected "function ${name}(" in the source, and found no such function`,
    );
  }
  const doc = readDoc(docBefore(tokens, at));
  const parameters = parseParameters({ tokens, at: at + 1 });
  const [only] = parameters;
  if (parameters.length === 1 && only?.name === undefined && only?.schema.properties !== undefined) {
    const { properties, required = [] } = only.schema;
    return { name, description: doc.text, parameters: objectSchema(properties, required) };
  }
  const properties: Record<string, ValueSchema> = {};
  const required: string[] = [];
  for (const parameter of parameters) {
    if (parameter.name === undefined) {
      throw new HarnessError("schema-invalid", `${name}: only a lone parameter can be destructured`);
    }
    properties[parameter.name] = described(parameter.schema, doc.params.get(parameter.name) ?? "");
    if (!parameter.optional) required.push(parameter.name);
  }
  return {
    name,
    description: doc.text,
    parameters: objectSchema(properties, required),
    positional: Object.keys(properties),
  };
}

function objectSchema(
  properties: Readonly<Record<string, ValueSchema>>,
  required: readonly string[],
): ParametersSchema {
  return { type: "object", properties, ...(required.length === 0 ? {} : { required }) };
}

function docBefore(tokens: readonly Token[], at: number): string {
  for (let index = at - 1; index >= 0; index -= 1) {
    const token = tokens[index];
    if (token?.kind === "doc") return token.text;
    if (token === undefined || !["function", "async", "export"].includes(token.text)) return "";
  }
  return "";
}

function parseParameters(cursor: Cursor): Parameter[] {
  expect(cursor, "(");
  const parameters: Parameter[] = [];
  while (!accept(cursor, ")")) {
    const name = parameterName(cursor);
    const optional = accept(cursor, "?");
    expect(cursor, ":");
    if (peek(cursor)?.text === "ToolContext") {
      cursor.at += 1;
    } else {
      const named = peek(cursor)?.kind === "word" ? undefined : name;
      const schema = parseType(cursor);
      // A lone object parameter takes all arguments, whether it is destructured or has a name.
      const isObject = schema.type === "object" && schema.properties !== undefined;
      const standard = accept(cursor, "=") ? skipDefault(cursor) : false;
      parameters.push({
        name: isObject ? undefined : (name ?? named),
        schema,
        optional: optional || standard,
      });
    }
    accept(cursor, ",");
  }
  return parameters;
}

function parameterName(cursor: Cursor): string | undefined {
  const token = peek(cursor);
  cursor.at += 1;
  if (token?.text !== "{") return token?.text;
  while (!accept(cursor, "}")) {
    if (peek(cursor) === undefined) expect(cursor, "}");
    cursor.at += 1;
  }
  return undefined;
}

/** Skips the default value of a parameter, which makes the parameter optional. */
function skipDefault(cursor: Cursor): true {
  for (let depth = 0; cursor.at < cursor.tokens.length; cursor.at += 1) {
    const token = peek(cursor);
    if (token?.kind !== "mark") continue;
    if (depth === 0 && (token.text === "," || token.text === ")")) break;
    if ("([{".includes(token.text)) depth += 1;
    if (")]}".includes(token.text)) depth -= 1;
  }
  return true;
}

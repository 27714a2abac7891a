/**
 * Reads the TypeScript types of tool parameters as JSON Schema: `string number boolean null`, literals, unions, arrays,
 * object types, `Record<string, T>`, `Integer`, `unknown`, and types that are declared in the same source.
 */
import type { JsonValue } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { HarnessError } from "../harness-error.ts";
import type { ValueSchema } from "../json-schema.ts";
import { readDoc } from "./doc-comment.ts";
import type { Token } from "./tokens.ts";

/** A position in the tokens. The parsers move it. */
export interface Cursor {
  readonly tokens: readonly Token[];
  at: number;
  /** The names of the declared types that are being read, to detect a type that contains itself. */
  readonly within?: readonly string[];
}

export interface ObjectType {
  readonly properties: Readonly<Record<string, ValueSchema>>;
  readonly required: readonly string[];
}

/** Reads the type at the cursor and returns its schema. Throws `schema-invalid` for a type that is not plain. */
export function parseType(cursor: Cursor): ValueSchema {
  accept(cursor, "|");
  const options = [parsePostfix(cursor)];
  while (accept(cursor, "|")) options.push(parsePostfix(cursor));
  return union(options);
}

function parsePostfix(cursor: Cursor): ValueSchema {
  if (peek(cursor)?.text === "readonly") cursor.at += 1;
  let schema = parsePrimary(cursor);
  while (peek(cursor)?.text === "[" && peek(cursor, 1)?.text === "]") {
    cursor.at += 2;
    schema = { type: "array", items: schema };
  }
  return schema;
}

function parsePrimary(cursor: Cursor): ValueSchema {
  const token = peek(cursor);
  if (token === undefined) throw unsupported("the end of the source");
  if (token.text === "{" && token.kind === "mark") return { type: "object", ...parseObject(cursor) };
  cursor.at += 1;
  if (token.kind === "string") return { const: token.text };
  if (token.kind === "number") return { const: Number(token.text) };
  if (token.text === "(") {
    const inner = parseType(cursor);
    expect(cursor, ")");
    return inner;
  }
  if (token.kind === "word") return parseWord(cursor, token.text);
  throw unsupported(token.text);
}

function parseWord(cursor: Cursor, word: string): ValueSchema {
  switch (word) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return { type: word };
    case "Integer":
      return { type: "integer" };
    case "true":
    case "false":
      return { const: word === "true" };
    case "unknown":
      return {};
    case "Array":
    case "ReadonlyArray": {
      const [items = {}] = parseTypeArguments(cursor);
      return { type: "array", items };
    }
    case "Record": {
      const [, values = {}] = parseTypeArguments(cursor);
      return { type: "object", additionalProperties: values };
    }
    default:
      return parseNamed(cursor, word);
  }
}

function parseTypeArguments(cursor: Cursor): ValueSchema[] {
  expect(cursor, "<");
  const types = [parseType(cursor)];
  while (accept(cursor, ",")) types.push(parseType(cursor));
  expect(cursor, ">");
  return types;
}

/** Reads a type that is declared in the same source: `interface Name {…}` or `type Name = …`. */
function parseNamed(cursor: Cursor, name: string): ValueSchema {
  const { tokens, within = [] } = cursor;
  if (within.includes(name)) throw unsupported(`the type ${name}, which holds itself`);
  const at = tokens.findIndex((token, index) => {
    const opener = tokens[index + 1]?.text;
    const keyword = tokens[index - 1]?.text;
    return (
      token.text === name &&
      ((keyword === "interface" && opener === "{") || (keyword === "type" && opener === "="))
    );
  });
  if (at === -1) throw unsupported(`the type ${name}, which this source does not declare`);
  const declared: Cursor = { tokens, at: at + 1, within: [...within, name] };
  if (tokens[at - 1]?.text === "interface") return { type: "object", ...parseObject(declared) };
  expect(declared, "=");
  return parseType(declared);
}

/** Reads an object type such as `{ /** text *\/ name?: Type; … }` and returns its properties. */
export function parseObject(cursor: Cursor): ObjectType {
  expect(cursor, "{");
  const properties: Record<string, ValueSchema> = {};
  const required: string[] = [];
  while (!accept(cursor, "}")) {
    const docToken = peek(cursor);
    const doc = docToken?.kind === "doc" ? docToken.text : "";
    if (docToken?.kind === "doc") cursor.at += 1;
    if (peek(cursor)?.text === "readonly" && peek(cursor, 1)?.kind === "word") cursor.at += 1;
    const name = peek(cursor);
    if (name === undefined || (name.kind !== "word" && name.kind !== "string")) {
      throw unsupported(name?.text ?? "the end");
    }
    cursor.at += 1;
    const optional = accept(cursor, "?");
    expect(cursor, ":");
    properties[name.text] = described(parseType(cursor), doc);
    if (!optional) required.push(name.text);
    if (!accept(cursor, ";")) accept(cursor, ",");
  }
  return { properties, required };
}

/**
 * Returns the schema with the contents of its doc comment: the text, `@minimum`, `@maximum`, `@default`. Throws
 * `schema-invalid` for a minimum or maximum that is no number, and for a default that is no JSON.
 */
export function described(schema: ValueSchema, comment: string): ValueSchema {
  const { text, tags } = readDoc(comment);
  const minimum = numberOf(tags, "minimum");
  const maximum = numberOf(tags, "maximum");
  const standard = tags.get("default");
  return {
    ...schema,
    ...(text === "" ? {} : { description: text }),
    ...defined({ minimum, maximum }),
    ...(standard === undefined ? {} : { default: readDefault(standard) }),
  };
}

function numberOf(tags: ReadonlyMap<string, string>, tag: string): number | undefined {
  const text = tags.get(tag);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text === "" || !Number.isFinite(value)) throw unsupported(`@${tag} ${text} where a number is expected`);
  return value;
}

function readDefault(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw unsupported(`@default ${text} where JSON is expected, such as "a text", 1 or true`, { cause });
  }
}

/**
 * Returns an `enum` if all options are literals of one type. Otherwise returns a single option itself, and several as
 * `anyOf`.
 */
function union(options: readonly ValueSchema[]): ValueSchema {
  const [first] = options;
  if (first === undefined) return {};
  const values = options.flatMap((option) => (option.const === undefined ? [] : [option.const]));
  for (const type of ["string", "number", "boolean"] as const) {
    const isOfType = values.every((value) => typeof value === type);
    if (values.length === options.length && isOfType) return { type, enum: values };
  }
  return options.length === 1 ? first : { anyOf: options };
}

/** Returns the token at the cursor, or `ahead` tokens later; undefined after the last token. */
export function peek(cursor: Cursor, ahead = 0): Token | undefined {
  return cursor.tokens[cursor.at + ahead];
}

/** Moves past the mark `text`. Returns false, and does not move, if the next token is not this mark. */
export function accept(cursor: Cursor, text: string): boolean {
  const token = peek(cursor);
  if (token?.kind !== "mark" || token.text !== text) return false;
  cursor.at += 1;
  return true;
}

/** Moves past the mark `text`. Throws `schema-invalid` if the next token is not this mark. */
export function expect(cursor: Cursor, text: string): void {
  if (!accept(cursor, text)) {
    throw unsupported(`${peek(cursor)?.text ?? "the end"} where "${text}" is expected`);
  }
}

function unsupported(what: string, options?: ErrorOptions): HarnessError {
  return new HarnessError(
    "schema-invalid",
    `a tool's signature can be read from plain types only; found ${what}`,
    options,
  );
}

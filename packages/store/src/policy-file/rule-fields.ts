/**
 * Defines the table of a rule's keys: the meaning of each key, and its valid values in words and as JSON Schema. The
 * parser and the schema of the file both use the table.
 */
import { isJsonObject, type JsonObject, type JsonValue, permissionModes } from "@localharness/protocol";

export interface RuleField {
  readonly key: string;
  readonly about: string;
  /** A description of the valid values. */
  readonly expected: string;
  readonly schema: JsonObject;
  isRight(value: JsonValue): boolean;
}

const risks = ["safe", "low", "medium", "high"];
const accesses = ["read", "write"];

const text: JsonObject = { type: "string" };
const texts: JsonObject = { type: "array", items: text };

export const ruleFields: readonly RuleField[] = [
  field(
    "id",
    "a unique name",
    "text",
    { type: "string", minLength: 1 },
    (value) => isText(value) && value !== "",
  ),
  field(
    "decision",
    "deny overrides ask, and ask overrides allow, over all rules",
    "allow, ask or deny",
    oneOf(["allow", "ask", "deny"]),
    isOneOf(["allow", "ask", "deny"]),
  ),
  field("justification", "why, for the person who is asked", "text", text, isText),
  field(
    "tool",
    'names of tools; "*" is any',
    "a name or a list of names",
    { anyOf: [text, texts] },
    isTextOrTexts,
  ),
  field(
    "arguments",
    "values of arguments",
    'an object of values or {"matches": "glob"}',
    argumentsSchema(),
    isPatterns,
  ),
  field(
    "path",
    "globs of paths in the workspace, * within a name, ** across folders",
    "a glob or a list of globs",
    { anyOf: [text, texts] },
    isTextOrTexts,
  ),
  field(
    "ignoreCase",
    "compare paths without regard to case",
    "true or false",
    { type: "boolean" },
    (value) => typeof value === "boolean",
  ),
  field(
    "access",
    "only paths that are read, or only those that are written",
    "read or write",
    oneOf(accesses),
    isOneOf(accesses),
  ),
  field(
    "command",
    'the words of a command; a final "*" matches any further words',
    'a list of words such as ["npm", "test"]',
    { ...texts, minItems: 1 },
    isTexts,
  ),
  field("risk", "how risky the call is", "a risk or a list of risks", listOf(risks), isListOf(risks)),
  field(
    "mode",
    "the mode of the session",
    "a mode or a list of modes",
    listOf(permissionModes),
    isListOf(permissionModes),
  ),
  field(
    "workspace",
    "the real path of the workspace in which the rule holds",
    "an absolute path",
    text,
    isText,
  ),
  field("scope", "the exact call that the person's answer covers", "text", text, isText),
  field("within", "the wider scope whose answer replaces this one; no condition", "text", text, isText),
  field(
    "created",
    "when it was made, in milliseconds since 1970",
    "a number",
    { type: "number" },
    (value) => typeof value === "number",
  ),
  field(
    "examples",
    "calls that the rule must match and calls that it must not match; checked whenever rules are loaded",
    'an object with "matches" and "misses"',
    examplesSchema(),
    isExamples,
  ),
];

function field(
  key: string,
  about: string,
  expected: string,
  schema: JsonObject,
  isRight: (value: JsonValue) => boolean,
): RuleField {
  return { key, about, expected, schema: { description: about, ...schema }, isRight };
}

function oneOf(choices: readonly string[]): JsonObject {
  return { enum: [...choices] };
}

function listOf(choices: readonly string[]): JsonObject {
  return { anyOf: [oneOf(choices), { type: "array", items: oneOf(choices) }] };
}

function isText(value: JsonValue): value is string {
  return typeof value === "string";
}

function isTexts(value: JsonValue): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isTextOrTexts(value: JsonValue): boolean {
  return isText(value) || isTexts(value);
}

function isOneOf(choices: readonly string[]) {
  return (value: JsonValue) => isText(value) && choices.includes(value);
}

function isListOf(choices: readonly string[]) {
  const right = isOneOf(choices);
  return (value: JsonValue) =>
    right(value) || (Array.isArray(value) && value.length > 0 && value.every(right));
}

function isPatterns(value: JsonValue): boolean {
  return isJsonObject(value) && Object.values(value).every(isPattern);
}

function isPattern(value: JsonValue): boolean {
  if (["string", "number", "boolean"].includes(typeof value)) return true;
  return (
    isJsonObject(value) && Object.keys(value).join() === "matches" && typeof value["matches"] === "string"
  );
}

function argumentsSchema(): JsonObject {
  const matches: JsonObject = {
    type: "object",
    properties: { matches: text },
    required: ["matches"],
    additionalProperties: false,
  };
  return {
    type: "object",
    additionalProperties: { anyOf: [{ type: ["string", "number", "boolean"] }, matches] },
  };
}

const exampleKeys = ["tool", "arguments", "paths", "command", "risk", "mode", "workspace", "scope"];

function isExamples(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([key, list]) => (key === "matches" || key === "misses") && Array.isArray(list) && list.every(isExample),
  );
}

function isExample(value: JsonValue): boolean {
  if (!isJsonObject(value) || Object.keys(value).some((key) => !exampleKeys.includes(key))) return false;
  const { tool, arguments: args, paths, command, risk, mode, workspace, scope } = value;
  const texts = [tool, workspace, scope].every((one) => one === undefined || isText(one));
  return (
    texts &&
    (args === undefined || isJsonObject(args)) &&
    (paths === undefined || (Array.isArray(paths) && paths.every(isTouched))) &&
    (command === undefined || isTexts(command)) &&
    (risk === undefined || isOneOf(risks)(risk)) &&
    (mode === undefined || isOneOf(permissionModes)(mode))
  );
}

function isTouched(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const { path, access, below } = value;
  return (
    Object.keys(value).every((key) => ["path", "access", "below"].includes(key)) &&
    typeof path === "string" &&
    isText(access ?? null) &&
    accesses.includes(String(access)) &&
    (below === undefined || typeof below === "boolean")
  );
}

function examplesSchema(): JsonObject {
  const touched: JsonObject = {
    type: "object",
    properties: { path: text, access: oneOf(accesses), below: { type: "boolean" } },
    required: ["path", "access"],
    additionalProperties: false,
  };
  const example: JsonObject = {
    type: "object",
    properties: {
      tool: text,
      arguments: { type: "object" },
      paths: { type: "array", items: touched },
      command: texts,
      risk: oneOf(risks),
      mode: oneOf(permissionModes),
      workspace: text,
      scope: text,
    },
    additionalProperties: false,
  };
  const examples: JsonObject = { type: "array", items: example };
  return { type: "object", properties: { matches: examples, misses: examples }, additionalProperties: false };
}

/** Returns the JSON Schema (2020-12) of a policies file, for editors. */
export function policySchema(version: number): JsonObject {
  const rule: JsonObject = {
    type: "object",
    properties: Object.fromEntries(ruleFields.map(({ key, schema }) => [key, schema])),
    required: ["id", "decision"],
    additionalProperties: false,
  };
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "Rules of Local Harness",
    description:
      "policies.json of a person, or .localharness/policy.json of a project. Rules of a project can only deny and ask.",
    type: "object",
    properties: {
      $schema: text,
      version: { enum: [1, version] },
      rules: { type: "array", items: rule },
    },
    required: ["version", "rules"],
    additionalProperties: false,
  };
}

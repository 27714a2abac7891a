/** Reads JSON Schemas, and coerces and validates the arguments of calls. The package has no dependencies. */
export { bareArguments } from "./argument-text.ts";
export { type Change, type CoerceOptions, coerce } from "./coerce.ts";
export { convertText, exactNumber, type ReadJson } from "./convert-text.ts";
export { isObject, type JsonObject, type JsonSchema, type JsonValue } from "./json.ts";
export { type Aliases, type MeantNames, meantNames, spelledProperty } from "./meant-names.ts";
export {
  isClosed,
  isForbidden,
  itemSchema,
  propertyNames,
  propertySchema,
  requiredNames,
} from "./members.ts";
export { argumentKeys, foldWord } from "./names.ts";
export { type ParsedJson, parseJson, tooDeepMessage, unsoundPart } from "./parse-json.ts";
export { branches, parametersSchema, type Schema } from "./schema.ts";
export { type NamedTool, type ToolNames, toolNames } from "./tool-names.ts";
export { hasType, isTextOnly, type TypeName, type Types, typesOf } from "./types-of.ts";
export { validate } from "./validate.ts";
export { describe, expectation } from "./words.ts";

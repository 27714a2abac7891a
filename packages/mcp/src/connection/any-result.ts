/** Defines a schema that accepts every result, for answers that this package checks itself. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { isJsonObject } from "@localharness/protocol";
import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/**
 * Returns the result as an object, or `{}` if it is not an object. One wrong part must not make a whole answer invalid.
 */
export const anyResult: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "localharness",
    validate: (value) => ({ value: isJsonObject(value as JsonValue) ? (value as JsonObject) : {} }),
  },
};

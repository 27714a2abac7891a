/** Defines a schema that accepts every result, for answers that this package checks itself. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { isJsonObject } from "@localharness/protocol";
import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/**
 * A schema that returns any object unchanged, and `{}` for other values: one wrong part must not make an answer invalid.
 */
export const anyResult: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "localharness",
    validate: (value) => ({ value: isJsonObject(value as JsonValue) ? (value as JsonObject) : {} }),
  },
};

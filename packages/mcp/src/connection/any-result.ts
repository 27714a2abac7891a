/** A schema that accepts every result, for answers that this package reads itself. */
import type { JsonObject, JsonValue } from "@localharness/protocol";
import { isJsonObject } from "@localharness/protocol";
import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/** Gives the result as an object; `{}` for a result that is none. One wrong part must not void a whole answer. */
export const anyResult: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "localharness",
    validate: (value) => ({ value: isJsonObject(value as JsonValue) ? (value as JsonObject) : {} }),
  },
};

/** Derived from the typed functions of the sibling file by `npm run fix`; do not edit. */
import type { FunctionSignature } from "@localharness/engine";

export const getCurrentTimeSignature: FunctionSignature = {
  "name": "getCurrentTime",
  "description": "The current date and time (ISO 8601).",
  "parameters": {
    "type": "object",
    "properties": {}
  },
  "positional": []
};

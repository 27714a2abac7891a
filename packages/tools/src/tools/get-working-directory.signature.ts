/** Derived from the typed functions of the sibling file by `npm run fix`; do not edit. */
import type { FunctionSignature } from "@localharness/engine";

export const getWorkingDirectorySignature: FunctionSignature = {
  "name": "getWorkingDirectory",
  "description": "The absolute path of the workspace.",
  "parameters": {
    "type": "object",
    "properties": {}
  },
  "positional": []
};

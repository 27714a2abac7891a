/** Derived from the typed functions of the sibling file by `npm run fix`; do not edit. */
import type { FunctionSignature } from "@localharness/engine";

export const updateTaskSignature: FunctionSignature = {
  "name": "updateTask",
  "description": "Set the status of a task.",
  "parameters": {
    "type": "object",
    "properties": {
      "task_id": {
        "type": "string",
        "description": "as task_1"
      },
      "status": {
        "type": "string",
        "enum": [
          "pending",
          "in_progress",
          "completed"
        ]
      }
    },
    "required": [
      "task_id",
      "status"
    ]
  },
  "positional": [
    "task_id",
    "status"
  ]
};

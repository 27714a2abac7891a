/** Collects the fields of an answer that the program does not read itself, because they have to go back to the server. */
import {
  type AnswerOrigin,
  defined,
  type JsonObject,
  type JsonValue,
  type ModelEvent,
} from "@localharness/protocol";
import { thoughtFields } from "../answer/thought-text.ts";
import { createFieldJoiner, type FieldJoiner } from "./join-fields.ts";

/** The fields of a message that the program reads and writes itself. */
const messageNames: ReadonlySet<string> = new Set([
  "role",
  "content",
  "refusal",
  "tool_calls",
  "function_call",
  "images",
]);
const callNames: ReadonlySet<string> = new Set(["id", "index", "type", "name", "arguments", "function"]);

/** The name in `thoughtIn` of a thought that came as a part of a content that is a list. */
export const contentPart = "content";

export interface AnswerFields {
  /** Takes a message, or the delta of one. */
  take(message: JsonObject): void;
  /**
   * Returns the `origin` for the end of the answer, whose calls are `ends`; without it if the answer brought nothing that has to
   * go back.
   */
  ofEnd(ends: readonly ModelEvent[]): { readonly origin?: AnswerOrigin };
}

/** `madeBy` is the value of `AnswerOrigin.madeBy`. */
export function createAnswerFields(madeBy: string): AnswerFields {
  const thoughtIn = new Set<string>();
  let others: FieldJoiner | undefined;
  return {
    take(message) {
      let rest: JsonObject | undefined;
      for (const [key, value] of Object.entries(message)) {
        if (value === null || value === "") continue;
        if (key === "content" && hasThought(value)) thoughtIn.add(contentPart);
        if (messageNames.has(key)) continue;
        if (thoughtFields.includes(key) && typeof value === "string") {
          thoughtIn.add(key);
          continue;
        }
        rest ??= {};
        rest[key] = value;
      }
      if (rest === undefined) return;
      others ??= createFieldJoiner();
      others.push(rest);
    },
    ofEnd(ends) {
      const fields = others?.value();
      if (fields === undefined && thoughtIn.size === 0 && !ends.some(hasFields)) return {};
      const thought = thoughtIn.size === 0 ? {} : { thoughtIn: [...thoughtIn] };
      return { origin: { madeBy, ...thought, ...defined({ fields }) } };
    },
  };
}

function hasFields(event: ModelEvent): boolean {
  return event.type === "tool-call-end" && event.fields !== undefined;
}

function hasThought(content: JsonValue): boolean {
  if (!Array.isArray(content)) return false;
  return content.some((part) => typeof part === "object" && part !== null && "thinking" in part);
}

/** Returns the fields of a call that the program does not read itself, with those of its `function`; undefined if there are none. */
export function callFieldsOf(call: JsonObject): JsonObject | undefined {
  let fields: JsonObject | undefined;
  for (const [key, value] of Object.entries(call)) {
    if (key === "function" && typeof value === "object" && value !== null && !Array.isArray(value)) {
      const inner = callFieldsOf(value);
      if (inner !== undefined) fields = { ...fields, function: inner };
    } else if (!callNames.has(key) && value !== null && value !== "") {
      fields = { ...fields, [key]: value };
    }
  }
  return fields;
}

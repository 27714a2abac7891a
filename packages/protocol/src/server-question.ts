/** A question that an MCP server asks the person while it works. It allows no call of a tool. */
import type { JsonObject, JsonValue } from "./json.ts";

export interface ServerQuestion {
  /** The random id of this question. An answer with another id has no effect. */
  readonly questionId: string;
  /** The name of the server in the person's configuration. */
  readonly server: string;
  /** The text of the server, cleaned and bounded. */
  readonly message: string;
  readonly asks:
    | { readonly kind: "form"; readonly fields: readonly QuestionField[] }
    /** The server asks the person to open a page. Nothing opens the page but the person. */
    | { readonly kind: "page"; readonly url: string };
}

/** A value that the server asks for. */
export interface QuestionField {
  readonly name: string;
  readonly title: string;
  /** What the server says about the value; absent if it says nothing. */
  readonly about?: string;
  readonly type: "text" | "number" | "integer" | "boolean" | "choice" | "choices";
  /** The values to choose from; absent unless `type` is `choice` or `choices`. */
  readonly choices?: readonly { readonly value: string; readonly title: string }[];
  readonly required: boolean;
  /** The value that is sent if the person enters none; absent without a default. */
  readonly preset?: JsonValue;
}

/** `accept` sends the values, `decline` refuses, `cancel` leaves the question without an answer. */
export type QuestionAction = "accept" | "decline" | "cancel";

export type QuestionAnswer =
  | { readonly action: "accept"; readonly values: JsonObject }
  | { readonly action: "decline" | "cancel" };

export type ReadValue =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  /** `message` says what was expected. */
  | { readonly ok: false; readonly message: string };

/** Reads what the person typed for a field. An empty text takes the default, or no value for a field that needs none. */
export function readValue(field: QuestionField, typed: string): ReadValue {
  const text = typed.trim();
  if (text === "") {
    if (field.preset !== undefined || !field.required) return { ok: true, value: field.preset };
    return { ok: false, message: "a value is needed" };
  }
  switch (field.type) {
    case "text":
      return { ok: true, value: typed };
    case "number":
    case "integer":
      return readNumber(text, field.type);
    case "boolean":
      return readBoolean(text);
    case "choice":
      return readChoice(field, text);
    case "choices": {
      const read = text.split(",").map((one) => readChoice(field, one.trim()));
      const wrong = read.find((one) => !one.ok);
      return wrong ?? { ok: true, value: read.flatMap((one) => (one.ok ? [one.value ?? ""] : [])) };
    }
  }
}

function readNumber(text: string, type: "number" | "integer"): ReadValue {
  const value = Number(text);
  if (Number.isFinite(value) && (type === "number" || Number.isInteger(value))) return { ok: true, value };
  return { ok: false, message: type === "number" ? "expected a number" : "expected a whole number" };
}

function readBoolean(text: string): ReadValue {
  if (/^(?:y|yes|true)$/i.test(text)) return { ok: true, value: true };
  if (/^(?:n|no|false)$/i.test(text)) return { ok: true, value: false };
  return { ok: false, message: "expected yes or no" };
}

/** Reads the number of a choice, its title or its value. */
function readChoice({ choices = [] }: QuestionField, text: string): ReadValue {
  const found =
    choices.find(({ value, title }) => value === text || title === text) ??
    (/^\d{1,3}$/.test(text) ? choices[Number(text) - 1] : undefined);
  if (found !== undefined) return { ok: true, value: found.value };
  return { ok: false, message: `expected a number from 1 to ${choices.length}` };
}

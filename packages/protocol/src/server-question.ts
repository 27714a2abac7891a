/** A question that an MCP server or the model asks the person. No answer to the question allows a tool call. */
import type { JsonObject, JsonValue } from "./json.ts";
import { judgedLine, judgedText } from "./plain-text.ts";

export interface ServerQuestion {
  /** The random id of this question. An answer with another id has no effect. */
  readonly questionId: string;
  /** The name of the server in the person's configuration; absent if the model asks. */
  readonly server?: string;
  /** The agent whose model asks; absent for the session's model and for a server. */
  readonly agent?: string;
  /** The text of the question, bounded. */
  readonly message: string;
  readonly asks:
    | { readonly kind: "form"; readonly fields: readonly QuestionField[] }
    /** The server asks the person to open a page. Nothing opens the page but the person. */
    | { readonly kind: "page"; readonly url: string }
    | AsksModel;
}

/** The server asks for an answer of the person's model. The model gets only these texts. `accept` allows this one request. */
export interface AsksModel {
  readonly kind: "model";
  readonly system?: string;
  readonly messages: readonly RequestedMessage[];
  /** The maximum number of tokens of the answer. */
  readonly maxTokens: number;
}

export interface RequestedMessage {
  readonly role: "user" | "assistant";
  readonly text: string;
}

/** Returns who asks, in words for the person. */
export function askerText({ server, agent }: Pick<ServerQuestion, "server" | "agent">): string {
  if (server !== undefined) return `the MCP server ${judgedLine(JSON.stringify(server))}`;
  return agent === undefined ? "the model" : `the agent ${judgedLine(JSON.stringify(agent))}`;
}

/** Returns the sentence that says where an answer goes. */
export function answerGoesText({ server }: Pick<ServerQuestion, "server">): string {
  return `Your answer goes to ${server === undefined ? "the model" : "this server"}, and allows no call.`;
}

/** Returns the request as text for the person: who says what, in full. The words of the server are marked at the left. */
export function modelRequestText({ system, messages, maxTokens }: AsksModel): string {
  const parts = [...(system === undefined ? [] : [{ role: "system", text: system }]), ...messages];
  const marked = parts.map(({ role, text }) => `${role}:\n${judgedText(text).replace(/^/gm, "│ ")}`);
  return [...marked, `The answer has at most ${maxTokens} tokens, and goes to the server.`].join("\n");
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
  /** Likely values of a text, of which the person can type the number. Any other text can be typed too. */
  readonly suggestions?: readonly string[];
  readonly required: boolean;
  /** The value that is sent if the person enters none; absent without a default. */
  readonly preset?: JsonValue;
}

/** `accept` sends the values, `decline` refuses, `cancel` leaves the question without an answer. */
export type QuestionAction = "accept" | "decline" | "cancel";

export type QuestionAnswer =
  | { readonly action: "accept"; readonly values: JsonObject }
  | { readonly action: "decline" | "cancel" };

/**
 * Returns what is wrong with an answer to the question; undefined if it can be sent. `accept` needs a value for each
 * required field. Each value must fit its field, and no other values may come. `decline` and `cancel` can always be sent.
 */
export function answerProblem(
  { asks }: Pick<ServerQuestion, "asks">,
  { action, values = {} }: { readonly action: QuestionAction; readonly values?: JsonObject | undefined },
): string | undefined {
  if (action !== "accept") return undefined;
  const fields = asks.kind === "form" ? asks.fields : [];
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return `the question does not ask for ${JSON.stringify(unknown.slice(0, 60))}`;
  for (const field of fields) {
    const value = values[field.name];
    if (value === undefined && field.required) return `the question needs a value for ${field.title}`;
    if (value !== undefined && !fitsField(field, value)) {
      return `expected ${expected[field.type]} for ${field.title}`;
    }
  }
  return undefined;
}

const expected: Readonly<Record<QuestionField["type"], string>> = {
  text: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  choice: "one of the choices",
  choices: "a list of some of the choices",
};

/** Returns true if the value is of the field's type. A choice must be one of `choices`, and so must each entry of a list. */
export function fitsField({ type, choices = [] }: QuestionField, value: JsonValue): boolean {
  const isChoice = (one: JsonValue) => choices.some((choice) => choice.value === one);
  switch (type) {
    case "text":
      return typeof value === "string";
    case "number":
      return Number.isFinite(value);
    case "integer":
      return Number.isInteger(value);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return isChoice(value);
    case "choices":
      return Array.isArray(value) && value.every(isChoice);
  }
}

export type ReadValue =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  /** `message` says what was expected. */
  | { readonly ok: false; readonly message: string };

/**
 * Reads what the person typed for a field. A blank text gives the default. Without a default, it gives undefined for an
 * optional field, and an error for a required field.
 */
export function readValue(field: QuestionField, typed: string): ReadValue {
  const text = typed.trim();
  if (text === "") {
    if (field.preset !== undefined || !field.required) return { ok: true, value: field.preset };
    return { ok: false, message: "a value is needed" };
  }
  switch (field.type) {
    case "text":
      return { ok: true, value: suggested(field, text) ?? typed };
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

/** Returns the suggestion of that number; undefined if there is none, or if the suggestions have no numbers. */
function suggested(field: QuestionField, text: string): string | undefined {
  return /^\d$/.test(text) && hasNumbers(field) ? field.suggestions?.[Number(text) - 1] : undefined;
}

/** Returns false if a suggestion is a number itself, which then means itself. */
function hasNumbers({ suggestions = [] }: QuestionField): boolean {
  return !suggestions.some((one) => /^\d+$/.test(one.trim()));
}

/** Returns one line for each choice or suggestion of the field, with the number that means it. */
export function numberedChoices(field: QuestionField): readonly string[] {
  if (field.choices !== undefined) return field.choices.map(({ title }, at) => `${at + 1}. ${title}`);
  return (field.suggestions ?? []).map((one, at) => (hasNumbers(field) ? `${at + 1}. ${one}` : `- ${one}`));
}

/** Returns what the person can type for the field, in words. */
export function typedKind(field: QuestionField): string {
  if (field.suggestions === undefined || field.suggestions.length === 0) return field.type;
  return hasNumbers(field) ? "a number or other words" : "one of these or other words";
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

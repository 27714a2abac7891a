/** Reads what a person filled in when an MCP server asked for values. */
import { type JsonObject, type JsonValue, type QuestionField, readValue } from "@localharness/protocol";

/** The content of one control: the text of a field or of a choice, or the chosen values. */
export type Entered = string | readonly string[];

/** The contents of all controls, in the order of the fields. */
export type EnteredValues = readonly Entered[];

export type ReadForm =
  | { readonly ok: true; readonly values: JsonObject }
  /** `problems` has a message for each field, in the order of the fields; undefined for a field without a problem. */
  | { readonly ok: false; readonly problems: readonly (string | undefined)[] };

/** Returns the contents before the person has changed anything: the defaults. */
export function firstEntered(fields: readonly QuestionField[]): EnteredValues {
  return fields.map(({ type, preset }) => {
    if (type === "choices") return Array.isArray(preset) ? preset.map(String) : [];
    if (preset === undefined) return "";
    return typeof preset === "boolean" ? (preset ? "yes" : "no") : String(preset);
  });
}

/** Returns the values to send, or the problems. An empty control gives no value, even if its field has a default. */
export function readForm(fields: readonly QuestionField[], entered: EnteredValues): ReadForm {
  const read = fields.map((field, at) => readEntered(field, entered[at] ?? ""));
  if (read.some((one) => !one.ok)) {
    return { ok: false, problems: read.map((one) => (one.ok ? undefined : one.message)) };
  }
  const pairs = read.flatMap((one, at) => {
    const name = fields[at]?.name;
    return !one.ok || one.value === undefined || name === undefined ? [] : [[name, one.value] as const];
  });
  return { ok: true, values: Object.fromEntries(pairs) };
}

function readEntered(field: QuestionField, entered: Entered): ReturnType<typeof readValue> {
  // The default is in the control already, and suggestions are buttons without numbers.
  const { preset: _shown, suggestions: _buttons, ...bare } = field;
  if (typeof entered !== "string") {
    if (entered.length > 0) return { ok: true, value: [...entered] satisfies JsonValue };
    return field.required ? { ok: false, message: "choose at least one" } : { ok: true, value: undefined };
  }
  // The control gives the value itself, which may be the title of another choice.
  if (field.type === "choice" && entered !== "") return { ok: true, value: entered };
  return readValue(bare, entered);
}

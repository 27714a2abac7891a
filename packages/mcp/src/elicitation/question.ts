/** Reads the questions that servers ask the person (elicitation), and writes the answers. */
import type { AskedByServer } from "@localharness/engine";
import {
  fitsField,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type QuestionAnswer,
  type QuestionField,
  visibleLine,
} from "@localharness/protocol";
import { cleaned } from "../tools/listed-tool.ts";

const maxFields = 30;
const maxChoices = 100;
const maxUrlChars = 4_000;

/**
 * Returns the question, whose text comes from the server. If it cannot be asked, returns a sentence that says what is
 * wrong with it.
 */
export function readQuestion(server: string, params: JsonObject): AskedByServer | string {
  const message = cleaned(params["message"]);
  if (params["mode"] === "url") {
    const { url } = params;
    const isAddress = typeof url === "string" && url.length <= maxUrlChars && URL.canParse(url);
    if (!isAddress) return "its address is none";
    const { protocol, href } = new URL(url);
    if (protocol !== "https:" && protocol !== "http:") return `its address begins with ${protocol}`;
    return { server, message, asks: { kind: "page", url: href } };
  }
  const schema = params["requestedSchema"];
  const properties = isJsonObject(schema) ? schema["properties"] : undefined;
  if (!isJsonObject(schema) || !isJsonObject(properties)) return "it names no values";
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const entries = Object.entries(properties);
  if (entries.length > maxFields) return `it asks for more than ${maxFields} values`;
  const fields = entries.map(([name, one]) => readField(name, one, required.includes(name)));
  const wrong = fields.find((field) => typeof field === "string");
  if (wrong !== undefined) return wrong;
  return { server, message, asks: { kind: "form", fields: fields.filter((one) => typeof one !== "string") } };
}

/** Returns the field, with its default if the default fits it, or a sentence that says what is wrong with the field. */
function readField(name: string, schema: JsonValue, required: boolean): QuestionField | string {
  if (!isJsonObject(schema)) return `${visibleLine(name)} has no description`;
  if (name === "__proto__") return "it asks for a value with the name __proto__";
  const field = readType(name, schema, required);
  const preset = schema["default"];
  if (typeof field === "string" || preset === undefined || !fitsField(field, preset)) return field;
  return { ...field, preset };
}

function readType(name: string, schema: JsonObject, required: boolean): QuestionField | string {
  const about = cleaned(schema["description"]);
  const field = {
    ...{ name, required, title: visibleLine(cleaned(schema["title"]) || name) },
    ...(about === "" ? {} : { about }),
  };
  const list = schema["type"] === "array" ? schema["items"] : schema;
  const choices = choicesOf(list);
  if (choices !== undefined) {
    if (choices.length > maxChoices) return `${field.title} has more than ${maxChoices} choices`;
    return { ...field, type: schema["type"] === "array" ? "choices" : "choice", choices };
  }
  switch (schema["type"]) {
    case "string":
      return { ...field, type: "text" };
    case "number":
    case "integer":
    case "boolean":
      return { ...field, type: schema["type"] };
    default:
      return `${field.title} is of an unknown type`;
  }
}

/** Returns the choices: a list of values, with or without names, or a list of constants with titles; undefined without. */
function choicesOf(schema: JsonValue | undefined): QuestionField["choices"] {
  if (!isJsonObject(schema)) return undefined;
  const { enum: values, enumNames: names } = schema;
  if (Array.isArray(values)) {
    return values.map((value, at) => {
      const name = Array.isArray(names) ? names[at] : undefined;
      return { value: String(value), title: visibleLine(String(name ?? value)) };
    });
  }
  const titled = schema["oneOf"] ?? schema["anyOf"];
  if (!Array.isArray(titled)) return undefined;
  return titled.filter(isJsonObject).map((one) => ({
    value: String(one["const"]),
    title: visibleLine(String(one["title"] ?? one["const"])),
  }));
}

/** Returns the answer in the protocol's shape, without values that were not asked for. */
export function writeAnswer(asked: AskedByServer, answer: QuestionAnswer): JsonObject {
  if (answer.action !== "accept") return { action: answer.action };
  if (asked.asks.kind !== "form") return { action: "accept" };
  const content = asked.asks.fields.flatMap(({ name }) => {
    const value = answer.values[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { action: "accept", content: Object.fromEntries(content) };
}

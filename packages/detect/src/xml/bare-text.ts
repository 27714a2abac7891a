/** Reads a tag named like a tool that contains only text: the one argument that the tool needs, or an unreadable call. */
import { propertyNames, propertySchema, requiredNames, type Schema, typesOf } from "@localharness/schema";
import { noteRepair } from "../json/result.ts";
import { decodeEntities } from "../markup/entities.ts";
import type { JsonValue, Repair } from "../types.ts";

/** Returns the one argument that a tool needs, when it is a text; without any that is needed, its only one, or its message. */
export function onlyText(schema: Schema): string | undefined {
  const required = requiredNames(schema);
  const names = required.length > 0 ? required : propertyNames(schema);
  const message = required.length === 0 && names.includes("message") ? "message" : undefined;
  const key = names.length === 1 ? names[0] : message;
  const inner = key === undefined ? undefined : propertySchema(schema, key);
  return inner && typesOf(inner).has("string") ? key : undefined;
}

/** Returns the text as the one argument that it can be; undefined when it can be none. */
export function textArguments(
  body: string,
  schema: Schema,
  repairs: Repair[] = [],
): { [key: string]: JsonValue } | undefined {
  const key = onlyText(schema);
  if (key === undefined) return undefined;
  const text = withoutComments(body, repairs)
    .split(/<!\[CDATA\[([\s\S]*?)\]\]>/)
    .map((part, index) => (index % 2 === 1 ? part : decodeEntities(withoutTags(part, repairs))))
    .join("")
    .trim();
  return plainArguments(text, schema);
}

/** The same for a text without markup. */
export function plainArguments(text: string, schema: Schema): { [key: string]: JsonValue } | undefined {
  const key = onlyText(schema);
  if (key === undefined || text === "" || (!proseKeys.test(key) && isProse(text))) return undefined;
  return { [key]: text };
}

function withoutComments(text: string, repairs: Repair[]): string {
  return text.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, () => {
    noteRepair(repairs, "comment");
    return "";
  });
}

/** Tags without attributes mean nothing in a text; they are dropped like keys of no meaning. */
function withoutTags(text: string, repairs: Repair[]): string {
  return text.replace(/<\/?[\w-]+\s*\/?>/g, () => {
    noteRepair(repairs, "dropped-key");
    return "";
  });
}

const proseKeys =
  /message|text|content|body|query|question|prompt|thought|note|reason|description|summary|answer|task/i;

/** Tells whether a text is a sentence or a list of points, unlike any command, path or place. */
function isProse(text: string): boolean {
  return /^[-*] /.test(text) || /^\p{Lu}[^\n]*\s[^\n]*\s[^\n]*[.!?]$/u.test(text);
}

/**
 * Tells whether a tag of this name, at this place, can only have been meant as a call, so that the model is told when it cannot
 * be read. Tags of documents are named by one word and stand inside other tags.
 */
export function canOnlyBeCall(name: string, before: string): boolean {
  return /[\p{L}\p{N}][_.][\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(name) && /(?:^|[^>\s]\s*\n)$/.test(before);
}

/** Tells whether a tag of this name, at this place, may be a call with nothing but text in it: first on its line, and no tag of HTML. */
export function canHoldText(name: string, before: string): boolean {
  return !htmlNames.has(name.toLowerCase()) && /(?:^|\n)[\s*_>-]*$/.test(before.slice(-80));
}

const htmlNames = new Set(
  (
    "a abbr address article aside audio b body button canvas caption cite code data del details dfn dialog div dl dt em " +
    "embed fieldset figure footer form frame h1 h2 h3 h4 h5 h6 head header html i iframe img input ins kbd label legend " +
    "li link main map mark math menu meta nav object ol option output p param picture pre progress q s samp script " +
    "search section select small source span strong style sub summary sup svg table td template text textarea th time " +
    "title tr track u ul var video"
  ).split(" "),
);

/** Judges a tag that has the name of a tool and contains only text. The text may be the only argument, or no call at all. */
import { propertyNames, propertySchema, requiredNames, type Schema, typesOf } from "@localharness/schema";
import { noteRepair } from "../json/result.ts";
import { hasCallMarkup } from "../markup/call-markup.ts";
import { decodeEntities } from "../markup/entities.ts";
import type { JsonObject, Repair } from "../types.ts";

/** Returns the text argument's name: the only required one or, if none is, the only one or `message`; else undefined. */
export function onlyText(schema: Schema): string | undefined {
  const required = requiredNames(schema);
  const names = required.length > 0 ? required : propertyNames(schema);
  const message = required.length === 0 && names.includes("message") ? "message" : undefined;
  const key = names.length === 1 ? names[0] : message;
  const inner = key === undefined ? undefined : propertySchema(schema, key);
  return inner && typesOf(inner).has("string") ? key : undefined;
}

/** Returns the text of a tag as the only argument of the call; undefined if it cannot be that argument. */
export function textArguments(body: string, schema: Schema, repairs: Repair[] = []): JsonObject | undefined {
  const key = onlyText(schema);
  if (key === undefined || hasCallMarkup(body)) return undefined;
  const asText = (part: string) => decodeEntities(withoutTags(part, repairs));
  // After each text come the content of a section and its end, which is empty if the section has none.
  const parts = withoutComments(body, repairs).split(/<!\[CDATA\[([\s\S]*?)(\]\]>|$)/);
  const texts = parts.map((part, index) => {
    if (index % 3 === 0) return asText(part);
    return index % 3 === 2 ? "" : parts[index + 1] === "" ? asText(`<![CDATA[${part}`) : part;
  });
  return plainArguments(texts.join("").trim(), schema);
}

/** Returns a text without markup as the only argument of the call; undefined if it cannot be that argument. */
export function plainArguments(text: string, schema: Schema): JsonObject | undefined {
  const key = onlyText(schema);
  if (key === undefined || text === "" || hasCallMarkup(text)) return undefined;
  if (!proseKeys.test(key) && isProse(text)) return undefined;
  return { [key]: text };
}

function withoutComments(text: string, repairs: Repair[]): string {
  return text.replace(/<(?:!--[\s\S]*?(-->|$)|\?[\s\S]*?(\?>|$))/g, (remark, end = "", other = "") => {
    if (end + other === "") return remark;
    noteRepair(repairs, "comment");
    return "";
  });
}

/** Drops tags without attributes from a text, and reports them like unknown keys. */
function withoutTags(text: string, repairs: Repair[]): string {
  return text.replace(/<\/?[\w-]+\s*\/?>/g, () => {
    noteRepair(repairs, "dropped-key");
    return "";
  });
}

const proseKeys =
  /message|text|content|body|query|question|prompt|thought|note|reason|description|summary|answer|task/i;

/** Returns true if a text is a list item or a sentence on three lines at most, and so neither a command nor a path. */
function isProse(text: string): boolean {
  const isSentence = /^\p{Lu}\S*\s\S*\s/u.test(text) && ".!?".includes(text.slice(-1));
  return /^[-*] /.test(text) || (isSentence && !/\n[^\n]*\n[^\n]*\n/.test(text));
}

/**
 * Returns true if a tag with this name, after this text, must be a call, so that an unreadable one is an error. The tags of
 * documents have names of one word, or are inside other tags.
 */
export function canOnlyBeCall(name: string, before: string): boolean {
  return /[\p{L}\p{N}][_.][\p{L}\p{N}]|\p{Ll}\p{Lu}/u.test(name) && /(?:^|[^>\s]\s*\n)$/.test(before);
}

/** Returns true if a tag with this name, after this text, may be a call with only text: it begins a line and is not HTML. */
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

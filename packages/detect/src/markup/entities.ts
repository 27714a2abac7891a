/** Decodes the character references of XML. */
import { setOwn } from "../json/result.ts";
import type { JsonObject, JsonValue } from "../types.ts";

const named: { readonly [name: string]: string } = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Replaces references once: `&amp;lt;` becomes `&lt;`. Unknown ones stay. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(\w{2,4}));/g, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(named, name) ? (named[name] ?? whole) : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** References that a model writes when it escapes. Not `&amp;` alone, because texts for web pages contain it. */
const escaped = /&[lg]t;|&amp;(?:&amp;|[lg]t;)/;
const bare = /<|&(?!(?:amp|lt|gt|quot|apos|#\w{1,7});)/;

/**
 * Decodes the arguments in place and returns true if the model has escaped them although its format does not ask for that:
 * they have references such as `&lt;`, but no `<` and no `&` outside of a reference.
 */
export function unescapeArguments(args: JsonObject): boolean {
  const all = JSON.stringify(args);
  if (!escaped.test(all) || bare.test(all)) return false;
  for (const [key, value] of Object.entries(args)) setOwn(args, key, unescaped(value));
  return true;
}

function unescaped(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(unescaped);
  return typeof value === "string" ? decodeEntities(value) : value;
}

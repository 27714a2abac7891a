/** Finds the declared names that a model means by keys which the schema does not declare. */
import type { JsonValue } from "../types.ts";
import {
  hasType,
  propertyNames,
  propertySchema,
  requiredNames,
  type Schema,
  typesOf,
} from "./read-schema.ts";

/** Names that models use for one another. A key stands for a required one of its row, when that is missing. */
const synonyms: readonly (readonly string[])[] = [
  ["command", "cmd", "commandline", "shellcommand", "bashcommand"],
  ["path", "filepath", "filename", "file", "absolutepath", "relativepath", "targetfile", "uri"],
  ["path", "directory", "dir", "directorypath", "dirpath", "folder", "folderpath"],
  ["content", "contents", "text", "filetext", "filecontent", "data", "body"],
  ["pattern", "query", "regex", "search", "searchterm", "searchquery", "term"],
  ["oldstring", "oldstr", "oldtext", "oldcontent", "old", "search", "find", "original"],
  ["newstring", "newstr", "newtext", "newcontent", "new", "replace", "replacement", "updated"],
  ["url", "uri", "link", "href"],
  ["message", "msg", "text", "commitmessage"],
  ["code", "sourcecode", "source", "script"],
];

/**
 * By key, the declared name that it stands for: the same name in other case or with other word separators, or a synonym of a
 * required name that is missing. Only where one key and one name are meant.
 */
export function meantNames(
  value: { readonly [key: string]: JsonValue },
  schema: Schema,
): ReadonlyMap<string, string> {
  const meant = new Map<string, string>();
  const strange = Object.keys(value).filter((key) => propertySchema(schema, key) === undefined);
  if (strange.length === 0) return meant;
  const free = propertyNames(schema).filter((name) => !Object.hasOwn(value, name));
  for (const name of free) {
    const key = only(strange.filter((one) => looseKey(one) === looseKey(name)));
    if (key !== undefined && looseKey(key) !== "") meant.set(key, name);
  }
  const taken = new Set(meant.values());
  const missing = requiredNames(schema).filter((name) => free.includes(name) && !taken.has(name));
  const left = strange.filter((key) => !meant.has(key));
  const pairs = missing.flatMap((name) =>
    left
      .filter((key) => areSynonyms(key, name) && fits(value[key], schema, name))
      .map((key) => ({ key, name })),
  );
  for (const { key, name } of pairs) {
    const isCertain = pairs.every((pair) => (pair.key === key) === (pair.name === name));
    if (isCertain) meant.set(key, name);
  }
  return meant;
}

function only(keys: readonly string[]): string | undefined {
  return keys.length === 1 ? keys[0] : undefined;
}

function looseKey(key: string): string {
  return key.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function areSynonyms(key: string, name: string): boolean {
  const [left, right] = [looseKey(key), looseKey(name)];
  return synonyms.some((row) => row.includes(left) && row.includes(right));
}

/** A text may yet be read as another type; anything else must have the type already. */
function fits(value: JsonValue | undefined, schema: Schema, name: string): boolean {
  const inner = propertySchema(schema, name);
  const types = inner ? typesOf(inner) : undefined;
  if (value === undefined) return false;
  return types === undefined || types.size === 0 || typeof value === "string" || hasType(value, types);
}

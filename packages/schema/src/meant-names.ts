/** Finds the declared names that a model means by unknown keys. */
import { isSame, type JsonObject, type JsonValue } from "./json.ts";
import { propertyNames, propertySchema, requiredNames } from "./members.ts";
import { areSynonyms, foldKey } from "./names.ts";
import type { Schema } from "./schema.ts";
import { hasType, typesOf } from "./types-of.ts";

/** The other names of each parameter of a tool. */
export type Aliases = { readonly [name: string]: readonly string[] };

export interface MeantNames {
  /** The declared name that each key means. */
  readonly names: ReadonlyMap<string, string>;
  /** The keys that are neither another spelling nor an alias, but a synonym of their name. */
  readonly synonyms: ReadonlySet<string>;
  /** The keys that repeat another key of the same name: they have the same value, or null. */
  readonly doubles: ReadonlySet<string>;
  /** The names that two keys with different values mean, with these two keys. It is unknown which value the model meant. */
  readonly clashes: ReadonlyMap<string, readonly [string, string]>;
}

/**
 * Maps each unknown key to the declared name that it means. The key has the same name with other case or word separators,
 * or is an alias of the name. Otherwise the name is required and missing, and the key is its only synonym and a synonym of
 * no other missing name.
 */
export function meantNames(value: JsonObject, schema: Schema, aliases: Aliases = {}): MeantNames {
  const names = new Map<string, string>();
  const doubles = new Set<string>();
  const clashes = new Map<string, [string, string]>();
  const strange = Object.keys(value).filter((key) => propertySchema(schema, key) === undefined);
  for (const [name, spelled] of spellingsOf(strange, schema, aliases)) {
    const keys = Object.hasOwn(value, name) ? [name, ...spelled] : spelled;
    const chosen = keys.find((key) => value[key] !== null) ?? keys[0] ?? name;
    const other = keys.find((key) => value[key] !== null && !isSame(value[key], value[chosen]));
    if (other !== undefined) clashes.set(name, [chosen, other]);
    else {
      if (chosen !== name) names.set(chosen, name);
      for (const key of keys) if (key !== chosen) doubles.add(key);
    }
  }
  const settled = new Set([...names.keys(), ...doubles, ...[...clashes.values()].flat()]);
  const taken = new Set([...Object.keys(value), ...names.values(), ...clashes.keys()]);
  const missing = requiredNames(schema).filter((name) => !taken.has(name));
  const pairs = strange.flatMap((key) =>
    missing
      .filter((name) => !settled.has(key) && areSynonyms(key, name) && mayBe(value[key], schema, name))
      .map((name) => [key, name] as const),
  );
  const isCertain = ([key, name]: readonly [string, string]) =>
    pairs.every((pair) => (pair[0] === key) === (pair[1] === name));
  const synonyms = new Map(pairs.filter(isCertain));
  for (const [key, name] of synonyms) names.set(key, name);
  return { names, synonyms: new Set(synonyms.keys()), doubles, clashes };
}

/**
 * Returns true if the value may have the type of the property. A text may be converted later; any other value must have
 * the type now.
 */
function mayBe(value: JsonValue | undefined, schema: Schema, name: string): boolean {
  const inner = propertySchema(schema, name);
  const types = inner && typesOf(inner);
  return typeof value === "string" || !types?.size || (value !== undefined && hasType(value, types));
}

/** Returns the unknown keys that are spellings of each declared name. Leaves out a key that is a spelling of two names. */
function spellingsOf(strange: readonly string[], schema: Schema, aliases: Aliases): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (strange.length === 0) return found;
  const declared = byFolded(propertyNames(schema).map((name) => [name, name]));
  const others = byFolded(
    Object.entries(aliases).flatMap(([name, list]) => list.map((alias) => [alias, name] as const)),
  );
  for (const key of strange) {
    const folded = foldKey(key);
    const name = declared.has(folded) ? declared.get(folded) : others.get(folded);
    if (name === undefined || folded === "") continue;
    found.set(name, [...(found.get(name) ?? []), key]);
  }
  return found;
}

function byFolded(names: readonly (readonly [string, string])[]): Map<string, string | undefined> {
  const folded = new Map<string, string | undefined>();
  for (const [spelling, name] of names) {
    const key = foldKey(spelling);
    folded.set(key, folded.has(key) && folded.get(key) !== name ? undefined : name);
  }
  return folded;
}

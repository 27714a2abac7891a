/** Finds the declared names that a model means by unknown keys. */
import { isSame, type JsonObject, type JsonValue } from "./json.ts";
import { propertyNames, propertySchema, requiredNames } from "./members.ts";
import { areSynonyms, foldKey } from "./names.ts";
import type { Schema } from "./schema.ts";
import { hasType, typesOf } from "./types-of.ts";

/** Other names that a tool accepts for its parameters, by the name of the parameter. */
export type Aliases = { readonly [name: string]: readonly string[] };

export interface MeantNames {
  /** Maps unknown keys to the declared names that they mean. Keys in `doubles` and `clashes` are not in this map. */
  readonly names: ReadonlyMap<string, string>;
  /** The keys in `names` that mean their name only as synonyms (`cmd` for `command`), not as other spellings or aliases. */
  readonly synonyms: ReadonlySet<string>;
  /**
   * The keys to ignore, because another key means the same name. Both keys have the same value, or the ignored key has null.
   * The declared name itself is one of them if it has null and another key does not.
   */
  readonly doubles: ReadonlySet<string>;
  /** Maps a declared name to two keys that mean it but have different values. It is unknown which value the model meant. */
  readonly clashes: ReadonlyMap<string, readonly [string, string]>;
}

/**
 * Returns the declared names that the unknown keys mean. A key means a name if it differs from the name only in case and word
 * separators, or if it is an alias of the name. A synonym also means the name, but only if the name is required and missing,
 * the value may have its type, the key is no synonym of another missing name, and no other key is a synonym of this name.
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

/** Returns the schema of a property, or of the only declared property that the key spells in another way; else undefined. */
export function spelledProperty(schema: Schema, key: string): Schema | undefined {
  const exact = propertySchema(schema, key);
  if (exact) return exact;
  const folded = foldKey(key);
  const name = folded === "" ? [] : propertyNames(schema).filter((one) => foldKey(one) === folded);
  return name.length === 1 && name[0] !== undefined ? propertySchema(schema, name[0]) : undefined;
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

/**
 * Returns, for each declared name, the unknown keys that are other spellings or aliases of it. Leaves out a key that fits two
 * names.
 */
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
    const known = found.get(name);
    if (known) known.push(key);
    else found.set(name, [key]);
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

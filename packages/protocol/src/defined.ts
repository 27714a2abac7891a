/** The properties of an object that are not undefined, as `exactOptionalPropertyTypes` demands. */
export type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Returns the object without its undefined properties, to be spread into one with optional properties. */
export function defined<T extends object>(properties: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const key in properties) {
    const value = properties[key];
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>;
  }
  return kept;
}

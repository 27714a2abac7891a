/** An object type whose properties may be absent but never undefined, as TypeScript's `exactOptionalPropertyTypes` demands. */
export type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Returns the object without its undefined properties, for a spread (`...`) into an object whose properties are optional. */
export function defined<T extends object>(properties: T): Defined<T> {
  const kept: Defined<T> = {};
  for (const key in properties) {
    const value = properties[key];
    if (value !== undefined) kept[key] = value as Exclude<T[typeof key], undefined>;
  }
  return kept;
}

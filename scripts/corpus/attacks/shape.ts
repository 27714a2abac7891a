/** Shapes of JSON values, as functions that report each part of a value that does not fit, with its path. */
import { isJsonObject, type JsonValue } from "@localharness/protocol";

/** Returns an error for each part of the value that does not fit; each names the part by its path, such as `policy[0].tool`. */
export type Shape = (value: JsonValue, path: string) => readonly string[];

export const anything: Shape = () => [];
export const text: Shape = (value, path) => fits(typeof value === "string", value, path);
export const number: Shape = (value, path) => fits(typeof value === "number", value, path);
export const flag: Shape = (value, path) => fits(typeof value === "boolean", value, path);

/** Fits one of the texts. */
export function oneOf(...known: readonly string[]): Shape {
  return (value, path) =>
    fits(
      known.some((one) => one === value),
      value,
      path,
    );
}

export function list(item: Shape): Shape {
  return (value, path) =>
    Array.isArray(value)
      ? value.flatMap((one, index) => item(one, `${path}[${index}]`))
      : fits(false, value, path);
}

/** Fits an object whose keys are arbitrary. */
export function map(inner: Shape): Shape {
  return (value, path) =>
    isJsonObject(value)
      ? Object.entries(value).flatMap(([key, one]) => inner(one, `${path}.${key}`))
      : fits(false, value, path);
}

/** Fits an object that has the needed keys and no unknown ones. */
export function record(parts: Readonly<Record<string, Shape>>, needed: readonly string[] = []): Shape {
  return (value, path) => {
    if (!isJsonObject(value)) return fits(false, value, path);
    const at = (key: string) => (path === "" ? key : `${path}.${key}`);
    const missing = needed
      .filter((key) => !Object.hasOwn(value, key))
      .map((key) => `missing part ${at(key)}`);
    const wrong = Object.entries(value).flatMap(([key, one]) => {
      const shape = Object.hasOwn(parts, key) ? parts[key] : undefined;
      return shape === undefined ? [`unknown part ${at(key)}`] : shape(one, at(key));
    });
    return [...missing, ...wrong];
  };
}

/**
 * Fits a value that fits at least one of the shapes. Otherwise reports the errors of the shape that fits the kind of the
 * value, and of several such shapes those of the one that has the fewest.
 */
export function either(...shapes: readonly Shape[]): Shape {
  return (value, path) => {
    const found = shapes.map((shape) => shape(value, path));
    const ofKind = found.filter((errors) => !errors.includes(unknownValue(value, path)));
    const [first = [], ...others] = ofKind.length === 0 ? found : ofKind;
    return others.reduce((best, one) => (one.length < best.length ? one : best), first);
  };
}

function fits(does: boolean, value: JsonValue, path: string): readonly string[] {
  return does ? [] : [unknownValue(value, path)];
}

function unknownValue(value: JsonValue, path: string): string {
  return `unknown value ${JSON.stringify(value).slice(0, 80)} of ${path}`;
}

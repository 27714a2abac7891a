/** Parses JSON files that people write by hand. Remembers the line of every key and refuses duplicate keys. */
import type { JsonObject, JsonValue } from "@localharness/protocol";

export type JsonSource =
  | { readonly ok: true; readonly value: JsonValue; lineOf(path: string): number }
  | { readonly ok: false; readonly line: number; readonly column: number; readonly message: string };

/** Parses JSON text. The path for `lineOf` joins keys and indexes with dots; an unknown path gives line 1. Never throws. */
export function readJsonSource(text: string): JsonSource {
  const source = text.startsWith("\ufeff") ? text.slice(1) : text;
  const places = new Map<string, number>();
  const reader = { source, at: 0, places };
  try {
    const value = readValue(reader, "", 0);
    skipSpace(reader);
    if (reader.at < source.length) {
      throw new Problem(`${shown(reader)} after the end of the value`, { at: reader.at });
    }
    return { ok: true, value, lineOf: (path) => lineAt(source, places.get(path) ?? 0) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const before = source.slice(0, error.at).split("\n");
    return {
      ok: false,
      line: before.length,
      column: (before.at(-1)?.length ?? 0) + 1,
      message: error.message,
    };
  }
}

interface Reader {
  readonly source: string;
  at: number;
  /** The offset of each key and element, by its path of keys and indexes. */
  readonly places: Map<string, number>;
}

class Problem extends Error {
  readonly at: number;
  constructor(message: string, options: { readonly at: number; readonly cause?: unknown }) {
    super(message, options);
    this.at = options.at;
  }
}

const maxDepth = 64;

function readValue(reader: Reader, path: string, depth: number): JsonValue {
  if (depth > maxDepth) throw new Problem(`nested deeper than ${maxDepth} levels`, { at: reader.at });
  skipSpace(reader);
  const first = reader.source[reader.at];
  if (first === "{") return readObject(reader, path, depth);
  if (first === "[") return readArray(reader, path, depth);
  if (first === '"') return readString(reader);
  return readWord(reader);
}

function readObject(reader: Reader, path: string, depth: number): JsonObject {
  const value: JsonObject = Object.create(null);
  reader.at += 1;
  for (let first = true; !take(reader, "}"); first = false) {
    if (!first) expect(reader, ",", '"," or "}"');
    skipSpace(reader);
    const start = reader.at;
    if (reader.source[start] !== '"') {
      throw new Problem(`expected a key in double quotes, got ${shown(reader)}`, { at: start });
    }
    const key = readString(reader);
    if (key in value) throw new Problem(`the key "${key}" occurs twice`, { at: start });
    const inner = path === "" ? key : `${path}.${key}`;
    reader.places.set(inner, start);
    expect(reader, ":", '":"');
    value[key] = readValue(reader, inner, depth + 1);
  }
  return { ...value };
}

function readArray(reader: Reader, path: string, depth: number): JsonValue[] {
  const values: JsonValue[] = [];
  reader.at += 1;
  for (let first = true; !take(reader, "]"); first = false) {
    if (!first) expect(reader, ",", '"," or "]"');
    skipSpace(reader);
    const inner = path === "" ? String(values.length) : `${path}.${values.length}`;
    reader.places.set(inner, reader.at);
    values.push(readValue(reader, inner, depth + 1));
  }
  return values;
}

const wordPattern = /true|false|null|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

function readString(reader: Reader): string {
  const start = reader.at;
  let end = reader.source.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(reader.source, end)) end = reader.source.indexOf('"', end + 1);
  if (end === -1) throw new Problem('a string is not closed: expected "', { at: start });
  reader.at = end + 1;
  try {
    return JSON.parse(reader.source.slice(start, end + 1)) as string;
  } catch (cause) {
    const message = "a string contains a line break, a control character or an unknown escape";
    throw new Problem(message, { at: start, cause });
  }
}

/** Returns true if an odd number of backslashes precedes the character at `at`. */
function isEscaped(source: string, at: number): boolean {
  let before = at;
  while (source[before - 1] === "\\") before -= 1;
  return (at - before) % 2 === 1;
}

function readWord(reader: Reader): JsonValue {
  const start = reader.at;
  const raw = match(reader, wordPattern);
  if (raw === undefined) throw new Problem(`expected a value, got ${shown(reader)}`, { at: start });
  try {
    return JSON.parse(raw) as JsonValue;
  } catch (cause) {
    throw new Problem(`expected a value, got ${raw}`, { at: start, cause });
  }
}

function match(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function take(reader: Reader, character: string): boolean {
  skipSpace(reader);
  if (reader.source[reader.at] !== character) return false;
  reader.at += 1;
  return true;
}

function expect(reader: Reader, character: string, names: string): void {
  if (!take(reader, character)) {
    throw new Problem(`expected ${names}, got ${shown(reader)}`, { at: reader.at });
  }
}

function skipSpace(reader: Reader): void {
  while (" \t\r\n".includes(reader.source[reader.at] ?? "x")) reader.at += 1;
}

function shown(reader: Reader): string {
  const next = /^[^\s,:[\]{}]{0,20}|^./.exec(reader.source.slice(reader.at))?.[0] ?? "";
  return reader.at >= reader.source.length
    ? "the end of the file"
    : JSON.stringify(next || reader.source[reader.at]);
}

function lineAt(source: string, at: number): number {
  let line = 1;
  for (let end = source.indexOf("\n"); end !== -1 && end < at; end = source.indexOf("\n", end + 1)) line += 1;
  return line;
}

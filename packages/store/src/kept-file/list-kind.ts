/** Describes a kept file with one list of entries: `{"version": 1, "KEY": [...]}`. */
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { KeptKind, KeptText } from "./kept-file.ts";

export interface ListKind<Item> extends Pick<KeptKind<readonly Item[]>, "contents" | "durable"> {
  /** The key of the list in the file. */
  readonly key: string;
  /** What the list has, for the message about a damaged file, such as `a list with path and hash`. */
  readonly expected: string;
  /** True if the file is written on one line. */
  readonly compact?: boolean;
  /** Returns the entry as an item; undefined if it is none, which makes the whole file damaged. */
  read(entry: JsonObject): Item | undefined;
}

const version = 1;

export function listKind<Item extends object>(list: ListKind<Item>): KeptKind<readonly Item[]> {
  const { key, contents, durable, compact = false } = list;
  return {
    version,
    empty: [],
    contents,
    durable,
    read: (text) => readList(text, list),
    write: (items) => `${JSON.stringify({ version, [key]: items }, null, compact ? 0 : 2)}\n`,
  };
}

function readList<Item>(text: string, { key, expected, read }: ListKind<Item>): KeptText<readonly Item[]> {
  const value = parse(text);
  if (value === undefined) return { kind: "broken", problem: "it is not JSON" };
  if (!isJsonObject(value) || typeof value["version"] !== "number") {
    return { kind: "broken", problem: 'expected an object with a "version"' };
  }
  if (value["version"] > version) return { kind: "newer", version: value["version"] };
  const entries = value[key];
  const items = Array.isArray(entries)
    ? entries.map((entry) => (isJsonObject(entry) ? read(entry) : undefined))
    : [undefined];
  return items.every((item) => item !== undefined)
    ? { kind: "value", value: items }
    : { kind: "broken", problem: `expected "${key}": ${expected}` };
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

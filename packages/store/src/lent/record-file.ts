/** Keeps a list of small records in a private JSON file of the configuration folder. */
import { configError } from "@localharness/engine";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/tools";
import { changeKept, type KeptKind, loadKept } from "../kept-file/kept-file.ts";

export interface RecordFile<Item> {
  /** Returns the records; none if the file cannot be used. Renames a damaged file. Never rejects. */
  list(): Promise<readonly Item[]>;
  /**
   * Replaces the records with what `edit` returns, and returns the old records. Rejects with a `HarnessError` if the file
   * cannot be changed.
   */
  change(edit: (items: readonly Item[]) => readonly Item[]): Promise<readonly Item[]>;
}

export interface RecordKind<Item> {
  /** The content as a plural noun for messages, such as `machines`. */
  readonly contents: string;
  /** Returns the record; undefined if the value is not a valid record. */
  read(value: JsonObject): Item | undefined;
}

/** Opens the file. If `path` is undefined, there are no records and none can be saved. */
export function openRecordFile<Item extends object>(
  path: string | undefined,
  { contents, read }: RecordKind<Item>,
  journal: WriteJournal,
): RecordFile<Item> {
  const kind: KeptKind<readonly Item[]> = {
    version: 1,
    empty: [],
    contents,
    durable: true,
    read(text) {
      const value = parse(text);
      if (value === undefined || typeof value["version"] !== "number") {
        return { kind: "broken", problem: 'expected an object with a "version"' };
      }
      if (value["version"] > 1) return { kind: "newer", version: value["version"] };
      const { items } = value;
      const records = Array.isArray(items)
        ? items.map((one) => (isJsonObject(one) ? read(one) : undefined))
        : [];
      return Array.isArray(items) && records.every((one) => one !== undefined)
        ? { kind: "value", value: records as readonly Item[] }
        : { kind: "broken", problem: 'expected "items": a list of records' };
    },
    write: (items) => `${JSON.stringify({ version: 1, items }, null, 2)}\n`,
  };
  return {
    list: async () => (path === undefined ? [] : (await loadKept(path, kind)).value),
    change(edit) {
      if (path !== undefined) return changeKept(path, kind, journal, edit);
      return Promise.reject(configError(`there is no home folder to keep ${contents} in: set HOME`));
    },
  };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

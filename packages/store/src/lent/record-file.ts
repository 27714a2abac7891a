/** Keeps a list of small records in a private JSON file of the configuration folder. */
import { join } from "node:path";
import { configError } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import type { WriteJournal } from "@localharness/workspace/files/write-journal";
import { changeKept, loadKept, readKept } from "../kept-file/kept-file.ts";
import { listKind } from "../kept-file/list-kind.ts";

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
  /** The name of the file in the configuration folder. */
  readonly file: string;
  /** The content as a plural noun for messages, such as `machines`. */
  readonly contents: string;
  /** Returns the record; undefined if the value is not a valid record. */
  read(value: JsonObject): Item | undefined;
}

/**
 * Opens the records in the configuration folder. If `folder` is undefined, there are no records and none can be saved. `tell`
 * is called with the reason why the records are not used, if it differs from the previous reason.
 */
export function openRecordFile<Item extends object>(
  folder: string | undefined,
  { file: name, contents, read }: RecordKind<Item>,
  journal: WriteJournal,
  tell: (warning: string) => void = () => undefined,
): RecordFile<Item> {
  const path = folder === undefined ? undefined : join(folder, name);
  const kind = listKind<Item>({ key: "items", contents, durable: true, expected: "a list of records", read });
  let told: string | undefined;
  const load = async (file: string): Promise<readonly Item[]> => {
    const { value, warning } = await loadKept(file, kind);
    if (warning !== undefined && warning !== told) tell(warning);
    told = warning;
    return value;
  };
  return {
    list: async () => (path === undefined ? [] : load(path)),
    async change(edit) {
      if (path === undefined) throw configError(`there is no home folder to keep ${contents} in: set HOME`);
      // `changeKept` renames a damaged file without a word.
      if ((await readKept(path, kind)).kind === "broken") await load(path);
      return changeKept(path, kind, journal, edit);
    },
  };
}

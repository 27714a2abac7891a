/**
 * Creates the curator and the summarizer that the settings ask for. A model-based curator gets a cache in the state folder.
 */
import { join } from "node:path";
import {
  type CurationCache,
  createModelCurator,
  outlineCurator,
  outputSummarizer,
} from "@localharness/context";
import type { Curator, LineRange, OutputSummarizer } from "@localharness/engine";
import { isJsonObject, type JsonValue } from "@localharness/protocol";
import { changeKept, type KeptKind, loadKept } from "@localharness/store/kept-file/kept-file";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import type { ConfigValues } from "../config/fields.ts";

/** The maximum number of files whose chosen lines are kept. The oldest are dropped first. */
const maxKept = 500;

interface KeptRanges {
  readonly key: string;
  readonly ranges: readonly LineRange[];
}

const kind: KeptKind<readonly KeptRanges[]> = {
  version: 1,
  empty: [],
  contents: "chosen lines of files",
  durable: false,
  read(text) {
    const value = parse(text);
    const files = isJsonObject(value) && value["version"] === 1 ? value["files"] : undefined;
    if (!Array.isArray(files) || !files.every(isKept)) {
      return { kind: "broken", problem: 'expected "version": 1 and "files": [...]' };
    }
    return { kind: "value", value: files as unknown as readonly KeptRanges[] };
  },
  write: (files) => `${JSON.stringify({ version: 1, files })}\n`,
};

/** Returns the function that summarises long outputs of commands; undefined if the setting is off. */
export function summarizerOf({ output_summaries: isOn = false }: ConfigValues): OutputSummarizer | undefined {
  return isOn ? outputSummarizer : undefined;
}

/** Returns the curator; undefined if the setting is `off`. */
export function curatorOf({ curator = "off" }: ConfigValues, stateFolder: string): Curator | undefined {
  if (curator === "off") return undefined;
  if (curator === "structure") return outlineCurator;
  const cache = openCache(stateFolder);
  return createModelCurator({ cache, onlyLongFiles: curator === "auto" });
}

function openCache(folder: string): CurationCache {
  const path = join(folder, "curator-cache.json");
  return {
    async get(key) {
      const { value } = await loadKept(path, kind);
      return value.find((file) => file.key === key)?.ranges;
    },
    async put(key, ranges) {
      const change = (files: readonly KeptRanges[]) =>
        [...files.filter((file) => file.key !== key), { key, ranges }].slice(-maxKept);
      const journal = createWriteJournal(folder);
      // Without the cached lines, the model is asked again the next time.
      await changeKept(path, kind, journal, change).catch(() => undefined);
      journal.close();
    },
  };
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function isKept(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value["key"] === "string" && Array.isArray(value["ranges"]);
}

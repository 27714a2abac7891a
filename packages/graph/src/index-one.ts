/** Brings one file of the index up to date: reads it through the workspace, parses it, and writes what was found. */
import { countText } from "@localharness/protocol";
import type { FileState, SourceFiles } from "./source-files.ts";
import type { Parser } from "./threads/parser.ts";
import type { StoreThread } from "./threads/store.ts";

export const maxSourceBytes = 1_000_000;

export interface IndexParts {
  readonly files: SourceFiles;
  readonly store: StoreThread;
  readonly parser: Parser;
}

export type IndexedOne =
  | { readonly kind: "indexed" | "same" | "gone" | "full" | "cancelled" }
  | { readonly kind: "skipped"; readonly reason: string };

/**
 * Indexes one file. `known` is the hash of the text in the index; undefined if there is none. Rejects with an
 * `IndexError`.
 */
export async function indexOne(
  { files, store, parser }: IndexParts,
  path: string,
  known: string | undefined,
): Promise<IndexedOne> {
  const skip = async (state: FileState, reason: string): Promise<IndexedOne> => {
    await store.call("skip", path, state, reason);
    return { kind: "skipped", reason };
  };
  const state = files.stateOf(path);
  if (state !== undefined && state.size > maxSourceBytes) return skip(state, tooLarge(state.size));
  const source = state === undefined ? undefined : await files.read(path, maxSourceBytes);
  if (source === undefined || source.kind === "absent") {
    await store.call("remove", path);
    return { kind: "gone" };
  }
  if (source.kind === "unreadable") return skip(source.state, source.reason);
  const answer = await parser.parse({ path, text: source.text, known });
  switch (answer.kind) {
    case "same":
      await store.call("touch", path, source.state);
      return { kind: "same" };
    case "cancelled":
      return { kind: "cancelled" };
    case "skipped":
      return skip(source.state, answer.reason);
    case "parsed": {
      const written = await store.call("write", path, source.state, answer.facts);
      return { kind: written ? "indexed" : "full" };
    }
  }
}

function tooLarge(bytes: number): string {
  return `it has ${countText(bytes, "byte")}, more than ${maxSourceBytes}`;
}

/**
 * Declares the lists of a server that are kept on disk, so that the next session offers its tools before the server
 * runs.
 */
import type { JsonObject } from "@localharness/protocol";

export interface KnownTools {
  /** The tools as the server listed them. */
  readonly tools: readonly JsonObject[];
  /** True if parameters are mirrored into HTTP headers. */
  readonly mirrors: boolean;
  /** True if the server has resources. */
  readonly resources: boolean;
}

/** Keeps the lists by the hash of the server's entry. */
export interface ToolMemory {
  /** Returns the lists; undefined if none are kept. Never rejects. */
  find(entryHash: string): Promise<KnownTools | undefined>;
  /** Keeps the lists. Never rejects: without them, the next session waits for the server. */
  keep(entryHash: string, known: KnownTools): Promise<void>;
}

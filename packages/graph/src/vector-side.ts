/** Makes the vectors of an index's sections, and the vectors of questions. */
import { countText } from "@localharness/protocol";
import { type EmbedReport, embedSections, problemOf } from "./embed-sections.ts";
import type { Embedder } from "./embedder.ts";
import type { SourceFiles } from "./source-files.ts";
import type { AskedVector } from "./store/index-store.ts";
import { toBytes } from "./store/vectors.ts";
import type { TellProgress } from "./sweep.ts";
import type { StoreThread } from "./threads/store.ts";

export interface VectorSideParts {
  readonly files: SourceFiles;
  readonly embedder?: Embedder;
  /** Aborts when the index is closed. */
  readonly closing: AbortSignal;
  store(): Promise<StoreThread>;
}

/** The vector of a question; a note if there is none although the index has vectors. */
export interface AskedWords {
  readonly vector?: AskedVector;
  readonly note?: string;
}

export interface VectorSide {
  /** See `CodeGraph.embed`. A call while another one runs resolves to the result of that call, and ignores `signal`. */
  embed(signal: AbortSignal, progress?: TellProgress): Promise<EmbedReport | undefined>;
  /** Resolves to the vector of the words; `{}` if the index has no vectors of this model. */
  ask(text: string): Promise<AskedWords>;
}

/** The maximum milliseconds that a search waits for the vector of its words. */
const maxAskMs = 5_000;

const wordsOnly = "only words were compared";

export function openVectorSide({ files, embedder, closing, store }: VectorSideParts): VectorSide {
  if (embedder === undefined) return { embed: async () => undefined, ask: async () => ({}) };
  const { model } = embedder;
  let running: Promise<EmbedReport> | undefined;
  return {
    async embed(signal, progress = () => undefined) {
      const parts = { files, store: await store(), embedder };
      const until = AbortSignal.any([signal, closing]);
      running ??= embedSections(parts, until, progress).finally(() => {
        running = undefined;
      });
      return running;
    },
    async ask(text) {
      const status = await (await store()).call("vectorStatus");
      if (status.embedded === 0 || status.model !== model) return {};
      const answer = await embedder.embed([text], AbortSignal.any([AbortSignal.timeout(maxAskMs), closing]));
      const problem = answer.ok ? problemOf(answer.vectors, 1) : answer.problem;
      const [vector] = answer.ok ? answer.vectors : [];
      if (vector === undefined || problem !== undefined) {
        return { note: `${wordsOnly}, not vectors: ${problem ?? "none came"}` };
      }
      if (vector.length === status.dimension) return { vector: { model, bytes: toBytes(vector) } };
      const sizes = `vectors of ${countText(vector.length, "part")}, the index has ${status.dimension}`;
      return { note: `${wordsOnly}: ${model} returns ${sizes}` };
    },
  };
}

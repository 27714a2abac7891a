/** Gives vectors to the sections of the index that have none. */
import { countText } from "@localharness/protocol";
import type { Embedder } from "./embedder.ts";
import { maxSourceBytes } from "./index-one.ts";
import { hashText } from "./parse/hash-text.ts";
import type { SourceFiles } from "./source-files.ts";
import { type SectionVector, toBytes, type UnembeddedSection } from "./store/vectors.ts";
import type { TellProgress } from "./sweep.ts";
import type { StoreThread } from "./threads/store.ts";

export interface EmbedParts {
  readonly files: SourceFiles;
  readonly store: StoreThread;
  readonly embedder: Embedder;
}

export interface EmbedReport {
  /** The number of sections that got a vector in this run. */
  readonly embedded: number;
  /** The number of sections in the index. */
  readonly sections: number;
  /** The number of sections with a vector. */
  readonly withVector: number;
  /**
   * The reason why the run ended early; undefined if it tried all sections. Sections of files that have changed since they
   * were indexed have no vector even then.
   */
  readonly problem: string | undefined;
}

const batchSections = 32;
/** The maximum number of characters of a section that are embedded. Models read at least 512 tokens. */
const maxChars = 2_000;
/** The maximum number of parts of a vector. */
const maxDimension = 8_192;

/**
 * Asks for the vectors, a batch at a time, and stops at the first failure. Writes each batch at once, so that the next
 * build continues after the last written batch. Rejects with an `IndexError`.
 */
export async function embedSections(
  parts: EmbedParts,
  signal: AbortSignal,
  progress: TellProgress,
): Promise<EmbedReport> {
  const { store, embedder } = parts;
  await store.call("beginVectors", embedder.model);
  let embedded = 0;
  let problem: string | undefined;
  for (let after = 0; problem === undefined; ) {
    if (signal.aborted) problem = "interrupted";
    const batch = problem === undefined ? await store.call("withoutVector", batchSections, after) : [];
    const last = batch.at(-1);
    if (last === undefined) break;
    after = last.section;
    const done = await embedBatch(parts, batch, signal);
    if (typeof done === "string") problem = done;
    else embedded += done;
    progress(embedded, embedded + batch.length);
  }
  const { sections, embedded: withVector } = await store.call("vectorStatus");
  return { embedded, sections, withVector, problem };
}

/** Resolves to the number of sections that got a vector, or to the reason why the work ends. */
async function embedBatch(
  { files, store, embedder }: EmbedParts,
  batch: readonly UnembeddedSection[],
  signal: AbortSignal,
): Promise<number | string> {
  const texts = await textsOf(files, batch);
  if (texts.length === 0) return 0;
  const answer = await embedder.embed(
    texts.map(({ text }) => text),
    signal,
  );
  if (!answer.ok) return answer.problem;
  const problem = problemOf(answer.vectors, texts.length);
  if (problem !== undefined) return `${embedder.model}: ${problem}`;
  const dimension = answer.vectors[0]?.length ?? 0;
  const rows = texts.map(
    ({ section, hash }, index): SectionVector => ({
      section,
      hash,
      bytes: toBytes(answer.vectors[index] ?? []),
    }),
  );
  switch (await store.call("putVectors", dimension, rows)) {
    case "written":
      return rows.length;
    case "full":
      return "the index has its maximum size";
    case "removed":
      return `${embedder.model} returns vectors of ${countText(dimension, "part")} now, other than before: the vectors are removed, the next build makes them again`;
  }
}

/** Returns the reason why vectors cannot be used; undefined if they can. */
export function problemOf(vectors: readonly (readonly number[])[], wanted: number): string | undefined {
  if (vectors.length !== wanted) return `${vectors.length} vectors came for ${wanted} texts`;
  const size = vectors[0]?.length ?? 0;
  const sizes = new Set(vectors.map((vector) => vector.length));
  if (size === 0 || size > maxDimension) return `a vector has ${countText(size, "part")}`;
  if (sizes.size > 1) return "the vectors of one answer have different sizes";
  const areNumbers = vectors.every((vector) => vector.every(Number.isFinite));
  return areNumbers ? undefined : "a vector has parts that are no numbers";
}

interface SectionText extends UnembeddedSection {
  readonly text: string;
}

/** Returns the texts of the sections. Leaves out those of files that have changed since they were indexed. */
async function textsOf(
  files: SourceFiles,
  batch: readonly UnembeddedSection[],
): Promise<readonly SectionText[]> {
  const lines = new Map<string, readonly string[] | undefined>();
  const texts: SectionText[] = [];
  for (const section of batch) {
    const { path, hash, firstLine, lastLine } = section;
    if (!lines.has(path)) {
      const source = await files.read(path, maxSourceBytes);
      const isSame = source.kind === "text" && hashText(source.text) === hash;
      lines.set(path, isSame ? source.text.split("\n") : undefined);
    }
    const shown = lines.get(path)?.slice(firstLine - 1, lastLine);
    if (shown === undefined) continue;
    texts.push({ ...section, text: `${path}\n${shown.join("\n")}`.slice(0, maxChars) });
  }
  return texts;
}

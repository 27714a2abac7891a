/** Opens the index of a folder as a session does, and measures how long the main thread was blocked meanwhile. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CodeGraph, type Embedder, openGraph } from "@localharness/graph";
import { sourceFiles } from "@localharness/harness/graph/source-files";
import { openToolResources } from "@localharness/tools";

export interface MeasuredGraph extends AsyncDisposable {
  readonly graph: CodeGraph;
}

export async function openMeasured(
  root: string,
  parsers: number,
  embedder?: Embedder,
): Promise<MeasuredGraph> {
  const state = mkdtempSync(join(tmpdir(), "bench-index-"));
  const resources = await openToolResources({ workspace: root, stateFolder: state });
  const graph = openGraph({
    path: join(state, "graph.sqlite"),
    files: sourceFiles(resources),
    parsers,
    ...(embedder === undefined ? {} : { embedder }),
  });
  return {
    graph,
    async [Symbol.asyncDispose]() {
      await graph.close();
      await resources.close();
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** Resolves to the milliseconds of the work, and to the milliseconds by which timers of 1 ms were late meanwhile, sorted. */
export async function withLag(
  work: () => Promise<unknown>,
): Promise<{ ms: number; late: readonly number[] }> {
  const late: number[] = [];
  let expected = performance.now() + 1;
  const timer = setInterval(() => {
    const now = performance.now();
    late.push(Math.max(now - expected, 0));
    expected = now + 1;
  }, 1);
  const started = performance.now();
  await work();
  const ms = performance.now() - started;
  clearInterval(timer);
  return { ms, late: late.sort((left, right) => left - right) };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? Number.NaN;
}

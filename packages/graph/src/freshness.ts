/** Knows whether the index is up to date, and brings it up to date before a question. */

export interface FreshnessParts {
  /** Resolves to true if a build of the index has come to its end. */
  isComplete(): Promise<boolean>;
  /** Returns the work in the background that a question waits for too. */
  before(): readonly Promise<unknown>[];
  /** Compares all files with the index and brings it up to date. Rejects if that fails. */
  sweep(): Promise<unknown>;
}

export interface Freshness {
  /** See `CodeGraph.refresh`. */
  refresh(waitMs: number, firstMs: number): Promise<"fresh" | "refreshing">;
  /** Notes that a sweep has ended. The index counts as fresh for ten seconds. */
  begin(): void;
  /** Notes that the index was removed. */
  end(): void;
}

const freshMs = 10_000;

export function createFreshness({ isComplete, before, sweep }: FreshnessParts): Freshness {
  /** Resolves to the error of the sweep that is running; to undefined if it succeeds. */
  let sweeping: Promise<unknown> | undefined;
  let freshUntil = Number.NEGATIVE_INFINITY;
  const start = () => {
    const earlier = before();
    const swept = sweep().then(
      () => undefined,
      (error: unknown) => error,
    );
    return Promise.all([swept, ...earlier]).then(([error]) => {
      sweeping = undefined;
      return error;
    });
  };
  return {
    async refresh(waitMs, firstMs) {
      if (sweeping === undefined && performance.now() < freshUntil) return "fresh";
      const ms = (await isComplete()) ? waitMs : firstMs;
      sweeping ??= start();
      const error = await within(sweeping, ms);
      if (error !== undefined) throw error;
      return sweeping === undefined ? "fresh" : "refreshing";
    },
    begin() {
      freshUntil = performance.now() + freshMs;
    },
    end() {
      freshUntil = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Resolves to the result of the work, or to undefined after `ms`. Rejects if the work rejects before. */
export async function within<Result>(work: Promise<Result>, ms: number): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  const result = await Promise.race([work, limit]);
  clearTimeout(timer);
  return result;
}

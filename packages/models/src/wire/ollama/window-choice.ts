/**
 * Chooses the context window with which Ollama loads a model. As long as the whole model fits into video memory, each run
 * tries the next larger window, up to a maximum. A model that is partly in main memory is several times slower.
 */
import { defaultNumCtx } from "./default-num-ctx.ts";
import type { LoadedModel } from "./models.ts";

/** What earlier runs have seen of one model. All sizes are in tokens. */
export interface WindowFit {
  /** The largest window with which the whole model was in video memory. */
  readonly fits?: number;
  /** The smallest window with which a part of the model was in main memory. */
  readonly spills?: number;
  /** The window that the server gave the model when a larger one was requested. It counts as the maximum. */
  readonly most?: number;
}

/** If the share of a model in video memory is below this, the machine has no graphics card for the model. */
const minVideoShare = 0.05;
/** The windows that are tried, in tokens. Each run tries at most the next larger one. */
const steps = [8_192, 16_384, 32_768, 65_536];

/**
 * Returns the window for the next load. `largest` is the maximum that the model supports; undefined if it is unknown.
 */
export function chooseWindow(fit: WindowFit, largest: number | undefined): number {
  const { fits, spills = Number.POSITIVE_INFINITY, most = largest ?? defaultNumCtx * 4 } = fit;
  const top = fits === undefined ? defaultNumCtx : fits * 2;
  const possible = steps.filter((step) => step <= top && step < spills);
  return Math.min(largest ?? most, most, possible.at(-1) ?? steps[0] ?? defaultNumCtx);
}

/**
 * Returns `before`, completed with what the load of a model with `asked` tokens shows. Returns it unchanged if the server
 * does not report the window. If it does not report the size of the model, or if less than `minVideoShare` of the model is in
 * video memory, only `most` can change.
 */
export function noteLoaded(before: WindowFit, asked: number, loaded: LoadedModel): WindowFit {
  const { contextWindow: window, sizeBytes = 0, videoBytes = 0 } = loaded;
  if (window === undefined) return before;
  const limited = window < asked ? { ...before, most: window } : before;
  if (sizeBytes === 0 || videoBytes < sizeBytes * minVideoShare) return limited;
  const { fits = 0, spills = Number.POSITIVE_INFINITY } = limited;
  if (videoBytes < sizeBytes) return { ...limited, spills: Math.min(spills, window) };
  return { ...limited, fits: Math.max(fits, window) };
}

/** Returns the words in which the profile of a model stores a fit, such as `window-fits:16384`. */
export function fitWords(fit: WindowFit): readonly string[] {
  return Object.entries(fit).map(([name, tokens]) => `window-${name}:${tokens}`);
}

/** Returns the fit that the words of a profile contain. Ignores all other words. */
export function fitOf(words: readonly string[]): WindowFit {
  const found = words.flatMap((word) => {
    const [, name, tokens] = /^window-(fits|spills|most):([1-9]\d{2,7})$/.exec(word) ?? [];
    return name === undefined ? [] : [[name, Number(tokens)] as const];
  });
  return Object.fromEntries(found);
}

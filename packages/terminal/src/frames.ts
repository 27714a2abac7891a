/** Requests frames: soon after events, and regularly while something is animated. Typed keys are drawn at once. */

export interface Frames {
  /** Requests a frame for events, about 30 a second at most. */
  soon(): void;
  /** Turns the animation on or off. */
  animate(on: boolean): void;
  stop(): void;
}

/** Least time between two frames that only events request, in milliseconds. */
const eventFrameMs = 30;

export function createFrames(redraw: () => void, animationMs: number): Frames {
  let ticker: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  function animate(on: boolean): void {
    if (on === (ticker !== undefined)) return;
    clearInterval(ticker);
    ticker = on ? setInterval(redraw, animationMs) : undefined;
  }
  return {
    animate,
    soon() {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        redraw();
      }, eventFrameMs);
    },
    stop() {
      animate(false);
      clearTimeout(waiting);
    },
  };
}

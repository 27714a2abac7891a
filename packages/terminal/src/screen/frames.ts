/** Decides when the screen is drawn again after events and during animations. Keys are drawn at once. */

export interface FrameTimer {
  /** Requests a frame for an event. Such frames are drawn at most about 30 times a second. */
  soon(): void;
  /** Starts or stops the animation of the working line. */
  animate(wanted: boolean): void;
  /** Stops all timers. */
  stop(): void;
}

/** The minimum time between two frames that only events request, in milliseconds. */
const eventFrameMs = 30;

/** Creates the timers. `animationMs` is the time between two frames of the animation, in milliseconds. */
export function createFrames(redraw: () => void, animationMs: number): FrameTimer {
  let ticker: NodeJS.Timeout | undefined;
  let next: NodeJS.Timeout | undefined;

  function animate(wanted: boolean): void {
    if (wanted === (ticker !== undefined)) return;
    clearInterval(ticker);
    ticker = wanted ? setInterval(redraw, animationMs) : undefined;
  }

  return {
    soon() {
      next ??= setTimeout(() => {
        next = undefined;
        redraw();
      }, eventFrameMs);
    },
    animate,
    stop() {
      animate(false);
      clearTimeout(next);
    },
  };
}

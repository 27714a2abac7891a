/**
 * Draws the answer while it streams. Finished parts are frozen at once; the unfinished part is redrawn with every
 * frame.
 */
import { createPartPainter } from "../markdown/draw-part.ts";
import { type AnswerPart, createBlockSplitter } from "../markdown/split-blocks.ts";
import { screenText } from "../plain-text.ts";
import type { Frozen } from "../screen/frozen-screen.ts";
import type { Theme } from "../theme/theme.ts";

export interface LiveAnswer {
  push(text: string): void;
  draw(width: number): readonly string[];
  /** Freezes the last part. Called when the answer is complete. */
  end(): void;
}

export function createLiveAnswer(theme: Theme, freeze: (part: Frozen) => void): LiveAnswer {
  const splitter = createBlockSplitter();
  const painter = createPartPainter(theme);
  const settle = (parts: readonly AnswerPart[]) => {
    for (const part of parts) freeze(painter.finished(part));
  };
  let half = "";
  let drawn: { readonly width: number; readonly lines: readonly string[] } | undefined;
  return {
    push(text) {
      // A surrogate pair or a CRLF may be split between two pieces, so its first half waits for the next piece.
      const whole = half + text;
      half = /[\ud800-\udbff\r]$/.test(whole) ? whole.slice(-1) : "";
      settle(splitter.push(screenText(half === "" ? whole : whole.slice(0, -1))));
      drawn = undefined;
    },
    draw(width) {
      if (drawn?.width === width) return drawn.lines;
      const rest = splitter.rest();
      drawn = { width, lines: rest === undefined ? [] : painter.unfinished(rest, width) };
      return drawn.lines;
    },
    end() {
      settle(splitter.end());
      drawn = undefined;
    },
  };
}

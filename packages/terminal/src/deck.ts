/** The live part of the screen, from top to bottom: what comes in, what goes on, tasks, editor or question, status. */
import type { Component, Focusable } from "@earendil-works/pi-tui";
import { guardDrawing } from "./screen/guard-drawing.ts";

export interface DeckParts {
  /** Above the editor; may be cut at the top where the screen is low. */
  drawAbove(width: number): readonly string[];
  /** What has the keys. */
  front(): Component & Partial<Focusable>;
  drawBelow(width: number): readonly string[];
  rows(): number;
  take(data: string): void;
}

export class Deck implements Component, Focusable {
  focused = false;
  readonly #parts: DeckParts;

  constructor(parts: DeckParts) {
    this.#parts = parts;
  }

  invalidate(): void {
    this.#parts.front().invalidate();
  }

  handleInput(data: string): void {
    this.#parts.take(data);
  }

  render(width: number): string[] {
    const front = this.#parts.front();
    if ("focused" in front) front.focused = this.focused;
    const middle = front.render(width);
    const below = this.#parts.drawBelow(width);
    const room = Math.max(0, this.#parts.rows() - middle.length - below.length);
    // What comes in never takes the editor away.
    const above = guardDrawing(() => this.#parts.drawAbove(width));
    return [...above.slice(Math.max(0, above.length - room)), ...middle, ...below];
  }
}

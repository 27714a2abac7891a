/**
 * Draws the live part of the screen: at the top the incoming answer, the progress and the tasks, then the editor, a
 * question or a panel, and at the bottom the status line.
 */
import type { Component, Focusable } from "@earendil-works/pi-tui";
import { guardDrawing } from "./screen/guard-drawing.ts";

export interface DeckParts {
  /** Returns the lines above the editor. If the screen has too few rows, the first lines are left out. */
  drawAbove(width: number): readonly string[];
  /** Returns the component that is drawn in the middle and has the focus: question, panel or editor. */
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
    // Rows are taken only from the lines above, so that a long answer never hides the editor.
    const above = guardDrawing(() => this.#parts.drawAbove(width));
    return [...above.slice(Math.max(0, above.length - room)), ...middle, ...below];
  }
}

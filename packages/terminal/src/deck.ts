/** Draws the live part of the screen: incoming answer, progress, tasks, then editor, question or panel, then status line. */
import type { Component, Focusable } from "@earendil-works/pi-tui";
import { guardDrawing } from "./screen/guard-drawing.ts";

export interface DeckParts {
  /** Returns the lines above the editor. They are cut at the top if the screen has too few rows. */
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
    // The editor keeps its rows however long the incoming answer is.
    const above = guardDrawing(() => this.#parts.drawAbove(width));
    return [...above.slice(Math.max(0, above.length - room)), ...middle, ...below];
  }
}

/** Full-screen viewer of a long text, with scrolling and search by `/`. */

import { type Component, matchesKey } from "@earendil-works/pi-tui";
import { countText } from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { screenText } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { guardDrawing } from "../screen/guard-drawing.ts";
import type { Theme } from "../theme/theme.ts";
import { wrapWords } from "../transcript/wrap-words.ts";
import { createWordFinder } from "./find-words.ts";

export function textViewer(title: string, text: string): Dialog {
  const clean = screenText(text);
  return linesViewer(title, (width) => clean.split("\n").flatMap((line) => wrapWords(line, width)));
}

/** Returns the viewer. `draw` returns the lines, cleaned and styled, for a width in columns. */
export function linesViewer(title: string, draw: (width: number, theme: Theme) => readonly string[]): Dialog {
  return (app, close) => new TextViewer(app, close, title, draw);
}

class TextViewer implements Component {
  readonly #app: App;
  readonly #close: () => void;
  readonly #title: string;
  readonly #draw: (width: number, theme: Theme) => readonly string[];
  #lines: readonly string[] = [];
  #width = 0;
  #top = 0;
  readonly #finder = createWordFinder();

  constructor(
    app: App,
    close: () => void,
    title: string,
    draw: (width: number, theme: Theme) => readonly string[],
  ) {
    this.#app = app;
    this.#close = close;
    this.#title = title;
    this.#draw = draw;
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const page = Math.max(1, this.#room() - 1);
    const searched = this.#finder.take(data);
    if (searched === "typed") this.#find(this.#top, 1);
    else if (searched === "taken") return;
    else if (matchesKey(data, "escape") || data === "q") this.#close();
    else if (data === "n") this.#find(this.#top + 1, 1);
    else if (data === "N") this.#find(this.#top - 1, -1);
    else if (matchesKey(data, "up") || data === "k") this.#scroll(this.#top - 1);
    else if (matchesKey(data, "down") || data === "j") this.#scroll(this.#top + 1);
    else if (matchesKey(data, "pageUp")) this.#scroll(this.#top - page);
    else if (matchesKey(data, "pageDown") || matchesKey(data, "space")) this.#scroll(this.#top + page);
    else if (matchesKey(data, "home") || data === "g") this.#scroll(0);
    else if (matchesKey(data, "end") || data === "G") this.#scroll(this.#lines.length);
  }

  #find(from: number, step: 1 | -1): void {
    if (this.#finder.words() === "") return;
    const { length } = this.#lines;
    for (let tried = 0; tried < length; tried += 1) {
      const at = (from + step * tried + length * 2) % length;
      if (this.#finder.isIn(this.#lines[at] ?? "")) {
        this.#scroll(at);
        return;
      }
    }
  }

  #scroll(to: number): void {
    this.#top = Math.max(0, Math.min(to, this.#lines.length - this.#room()));
  }

  #room(): number {
    return Math.max(1, this.#app.rows() - 3);
  }

  render(width: number): string[] {
    if (this.#width !== width) {
      this.#width = width;
      this.#lines = guardDrawing(() => this.#draw(width, this.#app.theme()));
    }
    const theme = this.#app.theme();
    const room = this.#room();
    const shown = this.#lines
      .slice(this.#top, this.#top + room)
      .map((line) => this.#finder.mark(line, (found) => theme.style("selected", found)));
    while (shown.length < room) shown.push("");
    const place = `${Math.min(this.#top + room, this.#lines.length)} of ${countText(this.#lines.length, "line")}`;
    const more = this.#finder.words() === "" ? "" : " · n N next";
    const keys = this.#finder.prompt() ?? `${place} · ↑↓ PgUp PgDn · / finds${more} · Esc back`;
    return [
      theme.style("title", this.#title),
      ...shown,
      theme.style("border", "─".repeat(width)),
      theme.style("dim", keys),
    ].map((line) => fitLine(line, width));
  }
}

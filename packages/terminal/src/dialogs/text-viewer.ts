/** Full-screen viewer of a long text, with scrolling and search by `/`. */
import { type Component, matchesKey, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { App, Dialog } from "../app.ts";
import { screenText } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { guardDrawing } from "../screen/guard-drawing.ts";
import type { Theme } from "../theme/theme.ts";
import { typeInto } from "./typed-line.ts";

export function textViewer(title: string, text: string): Dialog {
  const clean = screenText(text);
  return linesViewer(title, (width) => clean.split("\n").flatMap((line) => wrapTextWithAnsi(line, width)));
}

/** `draw` returns the lines, cleaned and styled, for a width in columns. */
export function linesViewer(title: string, draw: (width: number, theme: Theme) => readonly string[]): Dialog {
  return (app, close) => new TextViewer(app, close, title, draw);
}

/** Returns a line without its styles. */
function bare(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape sequences of styles.
  return line.replace(/\u001b\[[\d;]*m/g, "");
}

class TextViewer implements Component {
  readonly #app: App;
  readonly #close: () => void;
  readonly #title: string;
  readonly #draw: (width: number, theme: Theme) => readonly string[];
  #lines: readonly string[] = [];
  #width = 0;
  #top = 0;
  #words = "";
  #typing = false;

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
    if (this.#typing) this.#type(data);
    else if (matchesKey(data, "escape") || data === "q") this.#close();
    else if (data === "/") {
      this.#typing = true;
      this.#words = "";
    } else if (data === "n") this.#find(this.#top + 1, 1);
    else if (data === "N") this.#find(this.#top - 1, -1);
    else if (matchesKey(data, "up") || data === "k") this.#scroll(this.#top - 1);
    else if (matchesKey(data, "down") || data === "j") this.#scroll(this.#top + 1);
    else if (matchesKey(data, "pageUp")) this.#scroll(this.#top - page);
    else if (matchesKey(data, "pageDown") || matchesKey(data, "space")) this.#scroll(this.#top + page);
    else if (matchesKey(data, "home") || data === "g") this.#scroll(0);
    else if (matchesKey(data, "end") || data === "G") this.#scroll(this.#lines.length);
  }

  #type(data: string): void {
    if (matchesKey(data, "escape") || matchesKey(data, "enter")) {
      this.#typing = false;
      return;
    }
    const words = typeInto(this.#words, data);
    if (words === undefined) return;
    this.#words = words;
    this.#find(this.#top, 1);
  }

  #find(from: number, step: 1 | -1): void {
    const wanted = this.#words.toLowerCase();
    if (wanted === "") return;
    const { length } = this.#lines;
    for (let tried = 0; tried < length; tried += 1) {
      const at = (from + step * tried + length * 2) % length;
      if (
        bare(this.#lines[at] ?? "")
          .toLowerCase()
          .includes(wanted)
      ) {
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
    const shown = this.#lines.slice(this.#top, this.#top + room).map((line) => this.#mark(line));
    while (shown.length < room) shown.push("");
    const place = `${Math.min(this.#top + room, this.#lines.length)} of ${this.#lines.length} lines`;
    const keys = this.#typing
      ? `/${screenText(this.#words)}█`
      : `${place} · ↑↓ PgUp PgDn · / finds${this.#words === "" ? "" : " · n N next"} · Esc back`;
    return [
      theme.style("title", this.#title),
      ...shown,
      theme.style("border", "─".repeat(width)),
      theme.style("dim", keys),
    ].map((line) => fitLine(line, width));
  }

  #mark(drawn: string): string {
    const wanted = this.#words.toLowerCase();
    const line = wanted === "" ? drawn : bare(drawn);
    const at = wanted === "" ? -1 : line.toLowerCase().indexOf(wanted);
    if (at === -1) return drawn;
    const found = line.slice(at, at + wanted.length);
    return `${line.slice(0, at)}${this.#app.theme().style("selected", found)}${line.slice(at + wanted.length)}`;
  }
}

/**
 * Full-screen viewer of the transcript. The person can open and fold thoughts, calls and results. Draws only visible
 * items.
 */
import { type Component, matchesKey, stripTerminalSequences } from "@earendil-works/pi-tui";
import type { App, Dialog } from "../app.ts";
import { guardDrawing } from "../screen/guard-drawing.ts";
import { drawItem } from "../transcript/draw-item.ts";
import { itemText } from "../transcript/item-text.ts";
import { createWordFinder } from "./find-words.ts";

export const transcriptViewer: Dialog = (app, close) => new TranscriptViewer(app, close);

class TranscriptViewer implements Component {
  readonly #app: App;
  readonly #close: () => void;
  /**
   * The indexes of the items whose state differs from `#all`: opened items if all are folded, folded items if all are
   * opened.
   */
  readonly #toggled = new Set<number>();
  readonly #finder = createWordFinder();
  readonly #drawn = new Map<number, readonly string[]>();
  /** The last search. `at` has the indexes of the items found; `of` has the number of all items and the search words. */
  #found: { readonly of: string; readonly at: readonly number[] } = { of: "", at: [] };
  #width = 0;
  #all = false;
  #chosen: number;
  /** The first visible line: the index of its item and the line's index within it. */
  #top: { readonly item: number; readonly line: number };

  constructor(app: App, close: () => void) {
    this.#app = app;
    this.#close = close;
    this.#chosen = Math.max(0, app.items().length - 1);
    // The newest item that can be opened starts opened, so that Ctrl+O alone shows it.
    const openable = app.items().findLastIndex(({ kind }) => kind === "call" || kind === "thought");
    if (openable !== -1) {
      this.#chosen = openable;
      this.#toggled.add(openable);
    }
    this.#top = { item: this.#chosen, line: 0 };
  }

  invalidate(): void {
    this.#drawn.clear();
  }

  handleInput(data: string): void {
    const page = Math.max(1, this.#app.rows() - 4);
    const searched = this.#finder.take(data);
    if (searched === "typed") this.#find(this.#chosen, 1);
    else if (searched === "taken") return;
    else if (data === "n") this.#find(this.#chosen + 1, 1);
    else if (data === "N") this.#find(this.#chosen - 1, -1);
    else if (matchesKey(data, "escape") || matchesKey(data, "ctrl+o") || data === "q") this.#close();
    else if (matchesKey(data, "up")) this.#choose(-1);
    else if (matchesKey(data, "down")) this.#choose(1);
    else if (matchesKey(data, "enter") || matchesKey(data, "space")) this.#toggle(this.#chosen);
    else if (data === "a") this.#toggleAll();
    else if (matchesKey(data, "pageUp")) this.#scroll(-page);
    else if (matchesKey(data, "pageDown")) this.#scroll(page);
    else if (data === "k") this.#scroll(-1);
    else if (data === "j") this.#scroll(1);
    else if (matchesKey(data, "home")) this.#goTo(0);
    else if (matchesKey(data, "end")) this.#goTo(this.#app.items().length - 1);
  }

  /**
   * Selects and opens the nearest item that contains the search words, from the item `from` in the direction `step`.
   * After the last item the search continues at the other end.
   */
  #find(from: number, step: 1 | -1): void {
    const found = this.#foundItems();
    const at =
      step === 1
        ? (found.find((item) => item >= from) ?? found[0])
        : (found.findLast((item) => item <= from) ?? found.at(-1));
    if (at === undefined) return;
    if (this.#all === this.#toggled.has(at)) this.#toggle(at);
    this.#chosen = at;
    const line = this.#linesOf(at).findIndex((one) => this.#finder.isIn(stripTerminalSequences(one)));
    // Two lines above the match stay visible.
    this.#top = { item: at, line: Math.max(0, line - 2) };
  }

  /** Returns the indexes of the items that contain the search words. */
  #foundItems(): readonly number[] {
    const items = this.#app.items();
    const of = `${items.length} ${this.#finder.words()}`;
    if (this.#found.of !== of) {
      const at = items.flatMap((item, index) => (this.#finder.isIn(itemText(item)) ? [index] : []));
      this.#found = { of, at };
    }
    return this.#found.at;
  }

  #foundText(): string {
    const found = this.#foundItems();
    const place = found.indexOf(this.#chosen) + 1;
    if (found.length === 0) return "nothing found";
    return place === 0 ? `${found.length} found` : `${place} of ${found.length} found`;
  }

  #goTo(item: number): void {
    this.#chosen = Math.max(0, Math.min(item, this.#app.items().length - 1));
    this.#top = { item: this.#chosen, line: 0 };
  }

  #choose(by: number): void {
    const next = Math.max(0, Math.min(this.#chosen + by, this.#app.items().length - 1));
    this.#chosen = next;
    if (next < this.#top.item || !this.#inSight(next)) this.#top = { item: next, line: 0 };
  }

  #inSight(item: number): boolean {
    let room = this.#app.rows() - 3 + this.#top.line;
    for (let at = this.#top.item; at < item && room > 0; at += 1) room -= this.#linesOf(at).length;
    return room > 0;
  }

  #toggle(at: number): void {
    if (!this.#toggled.delete(at)) this.#toggled.add(at);
    this.#drawn.delete(at);
  }

  #toggleAll(): void {
    this.#all = !this.#all;
    this.#toggled.clear();
    this.#drawn.clear();
    this.#top = { item: this.#chosen, line: 0 };
  }

  #scroll(by: number): void {
    let { item } = this.#top;
    let line = this.#top.line + by;
    while (line < 0 && item > 0) line += this.#linesOf(--item).length;
    while (item < this.#app.items().length - 1 && line >= this.#linesOf(item).length)
      line -= this.#linesOf(item++).length;
    this.#top = { item, line: Math.max(0, Math.min(line, this.#linesOf(item).length - 1)) };
    this.#chosen = item;
  }

  #linesOf(index: number): readonly string[] {
    const known = this.#drawn.get(index);
    if (known !== undefined) return known;
    const item = this.#app.items()[index];
    const opened = this.#all !== this.#toggled.has(index);
    const drawing = { theme: this.#app.theme(), opened, rawCalls: this.#app.rawCalls() };
    // Key handlers also call this function, so an error while drawing is caught here too and does not end the program.
    const lines = item === undefined ? [] : guardDrawing(() => drawItem(item, this.#width - 2, drawing));
    if (this.#drawn.size > 300) this.#drawn.clear();
    this.#drawn.set(index, lines);
    return lines;
  }

  render(width: number): string[] {
    if (this.#width !== width) this.#drawn.clear();
    this.#width = width;
    const theme = this.#app.theme();
    const { length } = this.#app.items();
    const room = this.#app.rows() - 2;
    const lines: string[] = [];
    const found = (text: string) => theme.style("selected", text);
    for (let item = this.#top.item; item < length && lines.length < room; item += 1) {
      const mark = item === this.#chosen ? theme.style("accent", "▌ ") : "  ";
      const from = item === this.#top.item ? this.#top.line : 0;
      for (const line of this.#linesOf(item).slice(from, from + room))
        lines.push(mark + this.#finder.mark(line, found));
    }
    const body = lines.slice(0, room);
    while (body.length < room) body.push("");
    const place = `${Math.min(this.#chosen + 1, length)} of ${length}`;
    const counted = this.#finder.words() === "" ? "/ finds" : `${this.#foundText()} · n N next`;
    const typing = this.#finder.prompt();
    const keys =
      typing === undefined
        ? `${place} · ${counted} · ↑↓ choose · Enter opens · a all · PgUp PgDn · Esc back`
        : `${typing} · ${counted}`;
    return [...body, theme.style("border", "─".repeat(width)), theme.style("dim", keys)];
  }
}

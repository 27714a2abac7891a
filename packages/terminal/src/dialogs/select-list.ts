/** A list to choose from: what is typed narrows it, arrows move, Enter takes, Esc leaves. */

import { type Component, matchesKey, visibleWidth } from "@earendil-works/pi-tui";
import { reasonOf } from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { judgedLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { type ListWindow, moveTo } from "./list-window.ts";
import { typeInto } from "./typed-line.ts";

/** Texts are made harmless where they are drawn. */
export interface ListRow {
  readonly id: string;
  readonly label: string;
  /** Behind the label where there is room. */
  readonly about?: string;
  /** A line of its own below. */
  readonly below?: string;
}

export interface ListKey {
  /** As pi-tui calls it: `ctrl+d`, `space`. */
  readonly key: Parameters<typeof matchesKey>[1];
  readonly help: string;
  run(row: ListRow, list: ListHandle): void | Promise<void>;
}

export interface ListHandle {
  close(): void;
  /**
   * True when the same key has asked about the same row right before; else asks with the text. Any other key in between,
   * a letter too, takes that back.
   */
  confirm(text: string): boolean;
  /** Gets the rows anew, and leaves the mark where it is. */
  reload(): Promise<void>;
  /** A line below the list, until the next key. */
  tell(text: string): void;
}

export interface ListOptions {
  readonly title: string;
  /**
   * Called again with what is typed when `searches` is set; else once, and rows are narrowed here. Aborted when nobody
   * wants the rows any more.
   */
  load(words: string, signal: AbortSignal): Promise<readonly ListRow[]>;
  readonly searches?: boolean;
  /** What Enter does, in a word or two. */
  readonly enter: string;
  onEnter(row: ListRow, list: ListHandle): void | Promise<void>;
  readonly keys?: readonly ListKey[];
  /** Called with the row that the mark is on. */
  onMove?(row: ListRow): void;
  /** Called when it is left by Esc or Ctrl+C. */
  onLeave?(): void;
  /** Said when there are no rows. */
  readonly empty: string;
  /** The row that the mark begins on. */
  readonly start?: string;
}

export function selectList(options: ListOptions): Dialog {
  return (app, close) => new SelectList(app, close, options);
}

const mostRows = 12;
const widestLabel = 44;
/** A search begins so many milliseconds after the last letter. */
const searchPauseMs = 150;

class SelectList implements Component {
  readonly #app: App;
  readonly #options: ListOptions;
  readonly #handle: Omit<ListHandle, "confirm">;
  #presses = 0;
  /** What was asked about last, and by which press. */
  #asked = { what: "", press: 0 };
  #loaded: readonly ListRow[] | undefined;
  #rows: readonly ListRow[] = [];
  #words = "";
  #window: ListWindow = { chosen: 0, first: 0 };
  #told = "";
  /** Of the newest load. */
  #wanted = new AbortController();
  #loading: Promise<void> = Promise.resolve();
  #searchSoon: NodeJS.Timeout | undefined;
  /** The words that the rows were found by. */
  #foundBy = "";
  #closed = false;
  /** One action after another, and none after the one that closes. */
  #actions: Promise<void> = Promise.resolve();

  constructor(app: App, close: () => void, options: ListOptions) {
    this.#app = app;
    this.#options = options;
    this.#handle = {
      close: () => {
        this.#end();
        close();
      },
      reload: () => this.#load(),
      tell: (text) => {
        this.#told = text;
        app.redraw();
      },
    };
    void this.#load(options.start);
  }

  invalidate(): void {}

  handleInput(data: string): void {
    this.#told = "";
    this.#presses += 1;
    const row = this.#searching() ? undefined : this.#rows[this.#window.chosen];
    const own = this.#options.keys?.find(({ key }) => matchesKey(data, key));
    if (matchesKey(data, "escape")) this.#leave();
    else if (this.#move(data)) this.#moved();
    else if (matchesKey(data, "enter")) {
      if (row !== undefined) this.#run(data, row, this.#options.onEnter);
      else if (this.#searching()) this.#told = "still looking …";
    } else if (own !== undefined) {
      if (row !== undefined) this.#run(data, row, own.run);
    } else {
      const words = typeInto(this.#words, data);
      if (words !== undefined) this.#search(words);
    }
  }

  #handleOf(key: string, { id }: ListRow): ListHandle {
    const press = this.#presses;
    const what = `${key} ${id}`;
    return {
      ...this.#handle,
      confirm: (text) => {
        const asked = this.#asked;
        this.#asked = { what: "", press: 0 };
        if (asked.what === what && asked.press === press - 1) return true;
        this.#asked = { what, press };
        this.#handle.tell(text);
        return false;
      },
    };
  }

  #leave(): void {
    this.#handle.close();
    this.onLeave();
  }

  /** Nothing more is looked for, and no action begins. */
  #end(): void {
    clearTimeout(this.#searchSoon);
    this.#wanted.abort();
    this.#closed = true;
  }

  onLeave(): void {
    this.#end();
    this.#options.onLeave?.();
  }

  #run(key: string, row: ListRow, action: ListKey["run"]): void {
    const handle = this.#handleOf(key, row);
    this.#actions = this.#actions
      .then(() => (this.#closed ? undefined : action(row, handle)))
      .catch((error: unknown) => this.#handle.tell(reasonOf(error)))
      .finally(() => this.#app.redraw());
  }

  #move(data: string): boolean {
    const { chosen } = this.#window;
    const page = this.#room();
    const steps: readonly (readonly [Parameters<typeof matchesKey>[1], number])[] = [
      ["up", chosen - 1],
      ["down", chosen + 1],
      ["pageUp", chosen - page],
      ["pageDown", chosen + page],
      ["home", 0],
      ["end", this.#rows.length - 1],
    ];
    const step = steps.find(([key]) => matchesKey(data, key));
    if (step === undefined) return false;
    this.#window = moveTo(this.#window, step[1], this.#rows.length, page);
    return true;
  }

  #moved(): void {
    const row = this.#rows[this.#window.chosen];
    if (row !== undefined) this.#options.onMove?.(row);
  }

  #search(words: string): void {
    this.#words = words;
    if (this.#options.searches !== true) {
      this.#narrow();
      return;
    }
    clearTimeout(this.#searchSoon);
    this.#searchSoon = setTimeout(() => void this.#load(), searchPauseMs);
  }

  /** What is shown is not yet what was typed. */
  #searching(): boolean {
    return this.#options.searches === true && this.#foundBy !== this.#words;
  }

  /** One at a time, and of those that wait the newest. */
  #load(start?: string): Promise<void> {
    this.#wanted.abort();
    this.#wanted = new AbortController();
    const { signal } = this.#wanted;
    this.#loading = this.#loading.then(() => (signal.aborted ? undefined : this.#loadNow(signal, start)));
    return this.#loading;
  }

  async #loadNow(signal: AbortSignal, start?: string): Promise<void> {
    const words = this.#words;
    try {
      const rows = await this.#options.load(words, signal);
      if (signal.aborted) return;
      this.#loaded = rows;
      this.#narrow(start);
    } catch (error) {
      if (signal.aborted) return;
      this.#loaded ??= [];
      this.#handle.tell(reasonOf(error));
    }
    this.#foundBy = words;
    this.#app.redraw();
  }

  #narrow(start?: string): void {
    const before = start ?? this.#rows[this.#window.chosen]?.id;
    const words = this.#words
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== "");
    const all = this.#loaded ?? [];
    this.#rows =
      this.#options.searches === true
        ? all
        : all.filter((row) => {
            const text = `${row.label} ${row.about ?? ""} ${row.below ?? ""}`.toLowerCase();
            return words.every((word) => text.includes(word));
          });
    const at = this.#rows.findIndex((row) => row.id === before);
    this.#window = moveTo(this.#window, Math.max(at, 0), this.#rows.length, this.#room());
  }

  /** Rows that fit: the title, what is typed and the keys stand around them. */
  #room(): number {
    const tall = this.#rows.some((row) => row.below !== undefined) ? 2 : 1;
    return Math.max(2, Math.min(mostRows, Math.floor((this.#app.rows() - 8) / tall)));
  }

  render(width: number): string[] {
    const theme = this.#app.theme();
    const room = this.#room();
    const { first, chosen } = this.#window;
    const typed = this.#words === "" ? theme.style("dim", "type to search") : judgedLine(this.#words);
    const lines = [theme.style("title", this.#options.title), `${theme.style("accent", "›")} ${typed}`];
    if (this.#loaded === undefined) lines.push(theme.style("dim", "  looking …"));
    else if (this.#rows.length === 0)
      lines.push(theme.style("dim", `  ${this.#words === "" ? this.#options.empty : "nothing matches"}`));
    const shown = this.#rows.slice(first, first + room);
    const wide = Math.min(
      widestLabel,
      width - 4,
      Math.max(...shown.map(({ label }) => visibleWidth(judgedLine(label)))),
    );
    for (const [at, row] of shown.entries()) lines.push(...this.#draw(row, first + at === chosen, wide));
    const count = this.#rows.length > room ? `${chosen + 1} of ${this.#rows.length} · ` : "";
    const keys = (this.#options.keys ?? []).map(({ help }) => ` · ${help}`).join("");
    if (this.#told !== "") lines.push(theme.style("warning", judgedLine(this.#told)));
    lines.push(theme.style("dim", `${count}↑↓ choose · Enter ${this.#options.enter}${keys} · Esc closes`));
    return lines.map((line) => fitLine(line, width));
  }

  /** What stands behind the labels begins in one column. */
  #draw(row: ListRow, chosen: boolean, wide: number): readonly string[] {
    const theme = this.#app.theme();
    const label = judgedLine(row.label);
    const gap = " ".repeat(2 + Math.max(0, wide - visibleWidth(label)));
    const about = row.about === undefined ? "" : `${gap}${judgedLine(row.about)}`;
    const line = chosen
      ? `${theme.style("accent", "▸ ")}${theme.style("selected", label)}${theme.style("dim", about)}`
      : `  ${label}${theme.style("dim", about)}`;
    if (row.below === undefined) return [line];
    return [line, `    ${theme.style("dim", judgedLine(row.below))}`];
  }
}

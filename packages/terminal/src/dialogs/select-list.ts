/** Dialog with a list to choose from: typing filters it, arrow keys move, Enter runs the action, Esc closes. */
import { type Component, matchesKey, visibleWidth } from "@earendil-works/pi-tui";
import { reasonOf } from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { joinedLine, judgedLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { wrapWords } from "../transcript/wrap-words.ts";
import { type ListWindow, moveTo } from "./list-window.ts";
import { typeInto } from "./typed-line.ts";

/** Texts may be untrusted: control characters are removed when a row is drawn. */
export interface SelectRow {
  readonly id: string;
  readonly label: string;
  /** The text that is drawn after the label if there is room. */
  readonly about?: string;
  /** The text that is drawn on a second line under the label. */
  readonly below?: string;
}

export interface ListKey {
  /** The key's name in pi-tui: `ctrl+d`, `space`. */
  readonly key: Parameters<typeof matchesKey>[1];
  readonly help: string;
  run(row: SelectRow, list: ListHandle): void | Promise<void>;
}

export interface ListHandle {
  close(): void;
  /**
   * Asks for a second press. The first call shows `text` and returns false. Returns true if the next key press is the
   * same key on the same row; any other key cancels the question.
   */
  confirm(text: string): boolean;
  /** Loads the rows again and keeps the selection. */
  reload(): Promise<void>;
  /** Shows a line below the list until the next key press. */
  tell(text: string): void;
}

export interface ListOptions {
  readonly title: string;
  /**
   * Loads the rows at the start and after `reload`. If `searches` is true, also loads them after each pause in the typing of
   * `words`; if not, the list itself filters the rows. `signal` aborts when the rows are no longer needed.
   */
  load(words: string, signal: AbortSignal): Promise<readonly SelectRow[]>;
  readonly searches?: boolean;
  /** The effect of Enter in a few words, for the help line, such as "opens it". */
  readonly enter: string;
  onEnter(row: SelectRow, list: ListHandle): void | Promise<void>;
  readonly keys?: readonly ListKey[];
  /** Called with the selected row after each move. */
  onMove?(row: SelectRow): void;
  /** Called when the person closes the list with Esc or Ctrl+C. */
  onLeave?(): void;
  /** The text that is shown if there are no rows. */
  readonly empty: string;
  /** The `id` of the row that is selected first. */
  readonly start?: string;
}

export function selectList(options: ListOptions): Dialog {
  return (app, close) => new SelectList(app, close, options);
}

const maxRows = 12;
const maxLabelWidth = 44;
/** The maximum number of lines of the selected label. */
const maxFolded = 4;
/** The milliseconds between the last typed character and the search. */
const searchPauseMs = 150;

class SelectList implements Component {
  readonly #app: App;
  readonly #options: ListOptions;
  readonly #handle: Omit<ListHandle, "confirm">;
  #presses = 0;
  /** The key and row of the last confirmation question, and the number of the key press that asked it. */
  #asked = { what: "", press: 0 };
  #loaded: readonly SelectRow[] | undefined;
  #rows: readonly SelectRow[] = [];
  #words = "";
  #window: ListWindow = { chosen: 0, first: 0 };
  #told = "";
  /** Aborts the newest load. */
  #wanted = new AbortController();
  #loading: Promise<void> = Promise.resolve();
  #searchSoon: NodeJS.Timeout | undefined;
  /** The search words that produced the current rows. */
  #foundBy = "";
  #closed = false;
  /** The queue of actions. They run one after another, and none starts after the list is closed. */
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

  #handleOf(key: string, { id }: SelectRow): ListHandle {
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

  /** Stops searching and keeps queued actions from starting. */
  #end(): void {
    clearTimeout(this.#searchSoon);
    this.#wanted.abort();
    this.#closed = true;
  }

  onLeave(): void {
    this.#end();
    this.#options.onLeave?.();
  }

  #run(key: string, row: SelectRow, action: ListKey["run"]): void {
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
      ["ctrl+p", chosen - 1],
      ["ctrl+n", chosen + 1],
      // In the search of the history, another Ctrl+R selects the next older message.
      ["ctrl+r", chosen + 1],
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

  /** Returns true if the rows do not match the typed words yet. */
  #searching(): boolean {
    return this.#options.searches === true && this.#foundBy !== this.#words;
  }

  /** Loads the rows. Loads run one at a time; if several are waiting, only the newest one runs. */
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

  /** Returns how many rows of the list fit between the title and the key help. */
  #room(): number {
    const tall = this.#rows.some((row) => row.below !== undefined) ? 2 : 1;
    return Math.max(2, Math.min(maxRows, Math.floor((this.#app.rows() - 8) / tall)));
  }

  render(width: number): string[] {
    const theme = this.#app.theme();
    const room = this.#room();
    const { first, chosen } = this.#window;
    const typed = this.#words === "" ? theme.style("dim", "type to search") : judgedLine(this.#words);
    const lines = [theme.style("title", this.#options.title), `${theme.style("accent", "›")} ${typed}`];
    if (this.#loaded === undefined) lines.push(theme.style("dim", "  looking …"));
    else if (this.#rows.length === 0) {
      lines.push(theme.style("dim", `  ${this.#words === "" ? this.#options.empty : "nothing matches"}`));
    }
    const shown = this.#rows.slice(first, first + room);
    const wide = Math.min(
      maxLabelWidth,
      width - 4,
      Math.max(...shown.map(({ label }) => visibleWidth(judgedLine(label)))),
    );
    for (const [at, row] of shown.entries()) {
      lines.push(
        ...(first + at === chosen ? this.#drawChosen(row, wide, width) : this.#draw(row, false, wide)),
      );
    }
    const count = this.#rows.length > room ? `${chosen + 1} of ${this.#rows.length} · ` : "";
    const keys = (this.#options.keys ?? []).map(({ help }) => ` · ${help}`).join("");
    if (this.#told !== "") {
      lines.push(...wrapWords(joinedLine(this.#told), width).map((line) => theme.style("warning", line)));
    }
    lines.push(theme.style("dim", `${count}↑↓ choose · Enter ${this.#options.enter}${keys} · Esc closes`));
    return lines.map((line) => fitLine(line, width));
  }

  /** Returns the lines of the selected row. A label that does not fit is wrapped, because nothing else shows its end. */
  #drawChosen(row: SelectRow, wide: number, width: number): readonly string[] {
    const label = judgedLine(row.label);
    if (visibleWidth(label) <= width - 3) return this.#draw(row, true, wide);
    const [first = "", ...more] = wrapWords(label, Math.max(10, width - 4)).slice(0, maxFolded);
    const { below, ...named } = { ...row, label: first };
    return [
      ...this.#draw(named, true, wide),
      ...more.map((line) => `  ${this.#app.theme().style("selected", line)}`),
      ...(below === undefined ? [] : [`    ${this.#app.theme().style("dim", judgedLine(below))}`]),
    ];
  }

  /** Returns the lines of one row. Labels are padded to `wide` columns, so that the texts beside them are aligned. */
  #draw(row: SelectRow, chosen: boolean, wide: number): readonly string[] {
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

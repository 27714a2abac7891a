/**
 * Full-screen editor of the settings: shows each value, its origin and the expected form, and the reason if a value was
 * refused.
 */
import { type Component, CURSOR_MARKER, matchesKey } from "@earendil-works/pi-tui";
import type { SettingField } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { joinedLine, judgedLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { wrapWords } from "../transcript/wrap-words.ts";
import { type ListWindow, moveTo } from "./list-window.ts";
import { typeInto } from "./typed-line.ts";

/**
 * Returns the editor. `onChange` is called after a value was saved, so that settings such as the theme can take effect at
 * once.
 */
export function settingsEditor(onChange: (key: string, value: string | undefined) => void): Dialog {
  return (app, close) => new SettingsEditor(app, close, onChange);
}

type Editing = { readonly kind: "no" } | { readonly kind: "text"; readonly text: string };

class SettingsEditor implements Component {
  readonly #app: App;
  readonly #close: () => void;
  readonly #onChange: (key: string, value: string | undefined) => void;
  #fields: readonly SettingField[] = [];
  #words = "";
  #window: ListWindow = { chosen: 0, first: 0 };
  #editing: Editing = { kind: "no" };
  /**
   * The queue of changes. Each change starts from the value that the change before it saved, however fast keys are
   * pressed.
   */
  #changes: Promise<void> = Promise.resolve();
  #told: { readonly text: string; readonly wrong: boolean } | undefined;

  constructor(app: App, close: () => void, onChange: (key: string, value: string | undefined) => void) {
    this.#app = app;
    this.#close = close;
    this.#onChange = onChange;
    void this.#load();
  }

  invalidate(): void {}

  async #load(): Promise<void> {
    try {
      this.#fields = await this.#app.host.listSettings();
    } catch (error) {
      this.#told = { text: reasonOf(error), wrong: true };
    }
    this.#app.redraw();
  }

  #shown(): readonly SettingField[] {
    const words = this.#words.toLowerCase();
    return this.#fields.filter(({ key, about }) => `${key} ${about}`.toLowerCase().includes(words));
  }

  handleInput(data: string): void {
    const field = this.#shown()[this.#window.chosen];
    if (this.#editing.kind === "text") {
      this.#type(data, field, this.#editing.text);
      return;
    }
    this.#told = undefined;
    const changed = field !== undefined && this.#change(data, field);
    if (changed || this.#move(data)) return;
    const words = typeInto(this.#words, data);
    if (words !== undefined) {
      this.#words = words;
      this.#window = moveTo(this.#window, 0, this.#shown().length, this.#room());
    } else if (matchesKey(data, "escape")) this.#close();
  }

  #change(data: string, field: SettingField): boolean {
    if (matchesKey(data, "enter") || matchesKey(data, "right")) this.#begin(field, 1);
    else if (matchesKey(data, "left")) this.#begin(field, -1);
    else if (matchesKey(data, "delete") || matchesKey(data, "ctrl+d")) this.#keepNext(field, () => undefined);
    else return false;
    return true;
  }

  #move(data: string): boolean {
    const { chosen } = this.#window;
    const { length } = this.#shown();
    const room = this.#room();
    const steps: readonly (readonly [Parameters<typeof matchesKey>[1], number])[] = [
      ["up", chosen - 1],
      ["down", chosen + 1],
      ["pageUp", chosen - room],
      ["pageDown", chosen + room],
      ["home", 0],
      ["end", length - 1],
    ];
    const step = steps.find(([key]) => matchesKey(data, key));
    if (step === undefined) return false;
    this.#window = moveTo(this.#window, step[1], length, room);
    return true;
  }

  /** Selects the next or previous choice of a setting that has choices. Begins to edit any other setting as text. */
  #begin(field: SettingField, step: 1 | -1): void {
    const { choices } = field;
    if (choices === undefined) {
      this.#editing = { kind: "text", text: field.value ?? "" };
      return;
    }
    this.#keepNext(field, (now) => {
      const at = choices.indexOf(now ?? "");
      if (at === -1) return choices.at(step === 1 ? 0 : -1);
      return choices[(at + step + choices.length) % choices.length];
    });
  }

  #keepNext({ key }: SettingField, valueAfter: (now: string | undefined) => string | undefined): void {
    this.#changes = this.#changes.then(async () => {
      const field = this.#fields.find((one) => one.key === key);
      if (field !== undefined) await this.#keep(field, valueAfter(field.value));
    });
  }

  #type(data: string, field: SettingField | undefined, text: string): void {
    if (matchesKey(data, "escape")) {
      this.#editing = { kind: "no" };
      this.#told = undefined;
    } else if (matchesKey(data, "enter")) {
      if (field !== undefined) this.#keepNext(field, () => (text.trim() === "" ? undefined : text));
    } else {
      const typed = typeInto(text, data);
      if (typed === undefined) return;
      this.#editing = { kind: "text", text: typed };
      this.#told = undefined;
    }
  }

  /**
   * Saves a value; undefined removes the setting from the file. A refused value stays in the line, so that the person can
   * correct it, and the reason is shown below.
   */
  async #keep(field: SettingField, value: string | undefined): Promise<void> {
    const problem = await this.#app.host
      .changeSetting(field.key, value)
      .catch((error: unknown) => reasonOf(error));
    if (problem !== undefined) this.#told = { text: problem, wrong: true };
    else {
      this.#editing = { kind: "no" };
      this.#onChange(field.key, value);
      this.#told = undefined;
      await this.#load();
      const shown = this.#fields.find(({ key }) => key === field.key)?.shown ?? value;
      const kept =
        value === undefined ? `${field.key} removed from config.json` : `saved: ${field.key} = ${shown}`;
      this.#told ??= { text: kept, wrong: false };
    }
    this.#app.redraw();
  }

  #room(): number {
    return Math.max(3, this.#app.rows() - 6 - this.#helpRows());
  }

  #helpRows(): number {
    return this.#app.rows() >= 24 ? 5 : 3;
  }

  render(width: number): string[] {
    const theme = this.#app.theme();
    const room = this.#room();
    const fields = this.#shown();
    const { first, chosen } = this.#window;
    const typed = this.#words === "" ? theme.style("dim", "type to search") : judgedLine(this.#words);
    const when = theme.style("dim", "changes apply from the next start on, the theme at once");
    const head = [`${theme.style("title", "Settings")}  ${theme.style("accent", "›")} ${typed}`, when];
    const wide = Math.min(30, Math.max(12, Math.floor(width * 0.4)));
    const rows = fields
      .slice(first, first + room)
      .map((field, index) => this.#draw(field, first + index === chosen, wide));
    if (fields.length === 0) rows.push(theme.style("dim", "  nothing matches"));
    while (rows.length < room) rows.push("");
    const lines = [
      ...head,
      ...rows,
      theme.style("border", "─".repeat(width)),
      ...this.#help(fields[chosen], width),
    ];
    return lines.map((line) => fitLine(line, width));
  }

  #draw(field: SettingField, chosen: boolean, wide: number): string {
    const theme = this.#app.theme();
    const key = fitLine(field.key, wide).padEnd(wide);
    const shown = chosen ? theme.style("selected", key) : key;
    const mark = chosen ? theme.style("accent", "▸ ") : "  ";
    if (chosen && this.#editing.kind === "text") {
      return `${mark}${shown} ${judgedLine(this.#editing.text)}${CURSOR_MARKER}${theme.style("selected", " ")}`;
    }
    const value =
      field.value === undefined ? theme.style("dim", field.unset) : judgedLine(field.shown ?? field.value);
    const origin = field.origin === "" ? "" : theme.style("dim", `  ${judgedLine(field.origin)}`);
    return `${mark}${shown} ${value}${origin}`;
  }

  #help(field: SettingField | undefined, width: number): readonly string[] {
    const theme = this.#app.theme();
    const about = field === undefined ? "" : `${field.about}. Expected: ${field.expected}.`;
    const told = this.#told;
    const said = told === undefined ? "" : theme.style(told.wrong ? "error" : "ok", joinedLine(told.text));
    const overridden = field !== undefined && field.origin !== "" && field.origin !== "config.json";
    const warning = overridden
      ? theme.style("warning", `${judgedLine(field.origin)} overrides the value saved here. `)
      : "";
    const how =
      this.#editing.kind === "text"
        ? "Enter saves it · empty removes the setting · Esc back"
        : "↑↓ choose · Enter ←→ change · Del removes it · Esc closes";
    const lines = wrapWords(judgedLine(about), width).slice(0, this.#helpRows());
    while (lines.length < this.#helpRows()) lines.push("");
    return [...lines, `${warning}${said}`, theme.style("dim", how)];
  }
}

/** Asks about one call, in place of the editor: four answers by number or arrow, and a note with a denial. */
import { type Component, type Focusable, Input, matchesKey } from "@earendil-works/pi-tui";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import type { Theme } from "../theme/theme.ts";
import { permissionLines } from "./permission-lines.ts";

export interface PermissionPromptOptions {
  readonly request: PermissionRequest;
  readonly theme: Theme;
  /** Rows that the prompt may take at most. */
  rows(): number;
  /** It is in sight. */
  drawn(): void;
  /** False as long as what is typed was meant for something else. */
  ready(): boolean;
  /** Gets keys that come before the prompt is ready. */
  typedBefore(data: string): void;
  /** Text that is no answer: whoever types it does not look at the question. */
  typedElsewhere(text: string): void;
  answer(answer: PermissionAnswer, note?: string): void;
}

/** From so many rows on the answers have a line each, and what is above the prompt keeps some of the screen. */
const tallRows = 12;
/** With less a person could not see what they allow. */
const leastRows = 4;
const leastColumns = 36;

const answers: readonly (readonly [answer: PermissionAnswer, words: string])[] = [
  ["once", "Allow Once"],
  ["session", "Allow in this Session"],
  ["remember", "Allow and Remember"],
  ["deny", "Deny, with a note to the model if you like"],
];
/** On one line. */
const shortAnswers = ["Allow Once", "Session", "Remember", "Deny"];
const shortestAnswers = ["Once", "Session", "Remember", "Deny"];

export class PermissionPrompt implements Component, Focusable {
  focused = false;
  readonly #options: PermissionPromptOptions;
  readonly #note = new Input();
  #chosen = 0;
  #top = 0;
  #noting = false;
  #columns = Number.POSITIVE_INFINITY;
  #lines: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(options: PermissionPromptOptions) {
    this.#options = options;
    this.#note.onSubmit = (text) => this.#deny(text);
    this.#note.onEscape = () => {
      this.#noting = false;
    };
  }

  noting(): boolean {
    return this.#noting;
  }

  /** False as long as what comes was meant for something else. */
  ready(): boolean {
    return this.#options.ready();
  }

  invalidate(): void {
    this.#lines = undefined;
  }

  handleInput(data: string): void {
    if (!this.#options.ready()) {
      this.#options.typedBefore(data);
      return;
    }
    if (this.#tooSmall()) {
      if (data === "4") this.#deny("");
      return;
    }
    if (this.#noting) {
      this.#note.handleInput(data);
      return;
    }
    const number = answers.findIndex((_, index) => data === String(index + 1));
    if (number !== -1) {
      this.#answer(number);
      return;
    }
    if (matchesKey(data, "up")) this.#chosen = (this.#chosen + answers.length - 1) % answers.length;
    else if (matchesKey(data, "down")) this.#chosen = (this.#chosen + 1) % answers.length;
    else if (matchesKey(data, "pageDown") || matchesKey(data, "space")) this.#scroll(1);
    else if (matchesKey(data, "pageUp")) this.#scroll(-1);
    else if (matchesKey(data, "enter")) this.#answer(this.#chosen);
    else if (/^\P{Cc}+$/u.test(data)) this.#options.typedElsewhere(data);
  }

  #answer(index: number): void {
    const answer = answers[index]?.[0] ?? "deny";
    this.#chosen = index;
    if (answer === "deny") this.#noting = true;
    else this.#options.answer(answer);
  }

  #deny(note: string): void {
    const trimmed = note.trim();
    this.#options.answer("deny", trimmed === "" ? undefined : trimmed);
  }

  #scroll(pages: number): void {
    this.#top += pages * Math.max(1, this.#room() - 1);
  }

  #tall(): boolean {
    return this.#options.rows() >= tallRows;
  }

  #tooSmall(): boolean {
    return this.#options.rows() < leastRows || this.#columns < leastColumns;
  }

  /** Rows for what is asked about: the answers and the line that counts stand below it. */
  #room(): number {
    const rows = this.#options.rows();
    if (this.#tall()) return rows - 5 - answers.length;
    return Math.max(1, rows - (this.#noting ? 3 : 2));
  }

  render(width: number): string[] {
    const { theme, ready, drawn } = this.#options;
    drawn();
    this.#columns = width;
    if (this.#tooSmall())
      return [theme.style("warning", ready() ? "make the window larger to see the question; 4 denies" : "…")];
    const body = this.#body(width);
    const room = this.#room();
    this.#top = Math.max(0, Math.min(this.#top, body.length - room));
    const shown = body.slice(this.#top, this.#top + room);
    const lines = this.#tall() ? [theme.style("border", "─".repeat(width)), ...shown] : [...shown];
    if (body.length > room) {
      const end = this.#top + shown.length;
      lines.push(theme.style("accent", `lines ${this.#top + 1} to ${end} of ${body.length} · PgDn PgUp`));
    }
    if (!ready()) return [...lines, theme.style("dim", "…")];
    if (this.#noting) return [...lines, ...this.#noteLines(width)];
    if (!this.#tall()) return [...lines, this.#choices(width)];
    return [...lines, ...answers.map((_, index) => this.#choice(index))];
  }

  #body(width: number): readonly string[] {
    if (this.#lines?.width !== width)
      this.#lines = { width, lines: permissionLines(this.#options.request, width, this.#options.theme) };
    return this.#lines.lines;
  }

  #noteLines(width: number): readonly string[] {
    this.#note.focused = this.focused;
    const { theme } = this.#options;
    const line = [
      theme.style("title", "Denied. What shall the model do instead?"),
      ...this.#note.render(width),
    ];
    if (!this.#tall()) return line;
    return [...line, theme.style("dim", "Enter denies, with or without a note · Esc goes back")];
  }

  #choice(index: number): string {
    const { theme } = this.#options;
    const text = `[${index + 1}] ${answers[index]?.[1] ?? ""}`;
    return index === this.#chosen
      ? `${theme.style("accent", "›")} ${theme.style("selected", text)}`
      : `  ${text}`;
  }

  /** All on one line, shorter where they would not fit. */
  #choices(width: number): string {
    const { theme } = this.#options;
    const words = width < 52 ? shortestAnswers : shortAnswers;
    return words
      .map((word, index) => {
        const text = width < 52 ? `${index + 1} ${word}` : `[${index + 1}] ${word}`;
        return index === this.#chosen ? theme.style("selected", text) : text;
      })
      .join(width < 52 ? " " : "  ");
  }
}

/** Asks about one call, in place of the editor: four answers by number or arrow, and a note with a denial. */
import { type Component, type Focusable, Input, visibleWidth } from "@earendil-works/pi-tui";
import type { PermissionAnswer, PermissionRequest } from "@localharness/protocol";
import { bracketedPaste } from "../editor/bracketed-paste.ts";
import { pastedText, screenLine } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import type { Theme } from "../theme/theme.ts";
import { keysAlone, readPress, type Standing, type Step, takePress, textOf } from "./answer-keys.ts";
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
  /** What the person typed before the question, and has not sent. */
  draft(): string;
  /** Keys for the editor: those that come before the prompt is ready, and those of a draft. */
  toEditor(data: string): void;
  pasteToEditor(text: string): void;
  /** `settleHeld` is called when no key has come for a moment, `dropHeld` when one has. */
  hold(): void;
  /** What comes in the next moment is no answer. */
  rest(): void;
  /** As `rest`, and it is meant for the editor. */
  startOver(): void;
  answer(answer: PermissionAnswer, note?: string): void;
}

/** From so many rows on the answers have a line each, and what is above the prompt keeps some of the screen. */
const tallRows = 12;
/** With less a person could not see what they allow. */
const leastRows = 4;
const leastColumns = 36;
/** More than this is pasted into no note. */
const mostPasted = 100_000;

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
  #standing: Standing = { kind: "choosing", chosen: 0 };
  #top = 0;
  /** A note was taken back a moment ago: nothing answers yet, and text is a note again. */
  #resting = false;
  /** The draft is left as it is while the question is answered. */
  #setAside = false;
  #columns = Number.POSITIVE_INFINITY;
  #lines: { readonly width: number; readonly lines: readonly string[] } | undefined;

  constructor(options: PermissionPromptOptions) {
    this.#options = options;
    this.#note.onSubmit = (text) => this.#deny(text);
    this.#note.onEscape = () => this.#giveBack();
  }

  noting(): boolean {
    return this.#standing.kind === "noting";
  }

  /** False as long as what comes was meant for something else. */
  ready(): boolean {
    return this.#options.ready();
  }

  invalidate(): void {
    this.#lines = undefined;
  }

  /** Something was in front of it, or the draft was sent: what comes now is not meant for the question. */
  startOver(): void {
    this.dropHeld();
    this.#resting = false;
    this.#setAside = false;
  }

  /** No key has followed the one that answers. */
  settleHeld(): void {
    if (this.#tooSmall()) this.dropHeld();
    else this.#step(keysAlone(this.#standing), "");
  }

  dropHeld(): void {
    if (this.#standing.kind === "held") this.#standing = { kind: "choosing", chosen: this.#standing.chosen };
  }

  handleInput(data: string): void {
    if (this.#closed()) this.#takeEarly(data);
    else if (this.#tooSmall()) {
      if (data === "4") this.#deny("");
    } else if (this.noting()) this.#takeIntoNote(data);
    else this.#step(takePress(this.#standing, readPress(data), this.#drafted()), data);
  }

  /** A paste is text, whatever it holds. */
  paste(text: string): void {
    const early = this.#closed() && !this.#resting;
    const drafted = this.#drafted() && !this.noting();
    if (early || drafted || this.#tooSmall() || text.length > mostPasted) {
      if (this.#standing.kind === "held") this.#options.toEditor(this.#standing.text);
      this.dropHeld();
      this.#options.pasteToEditor(text);
      return;
    }
    const line = pastedText(text).replaceAll("\n", " ");
    if (this.noting()) this.#note.handleInput(bracketedPaste(line));
    else this.#step(takePress(this.#standing, { kind: "text", text: line }, false), "");
  }

  /** Nothing answers yet. What was typed after a note that was taken back is a note again. */
  #closed(): boolean {
    return !this.#options.ready() && !(this.#resting && this.noting());
  }

  #drafted(): boolean {
    return !this.#setAside && this.#options.draft().trim() !== "";
  }

  #takeEarly(data: string): void {
    if (!this.#resting) {
      this.#options.toEditor(data);
      return;
    }
    const text = textOf(readPress(data));
    if (text !== undefined) this.#step(takePress(this.#standing, { kind: "text", text }, false), data);
  }

  /** A note that was typed is over when nothing is left of it. */
  #takeIntoNote(data: string): void {
    this.#note.handleInput(data);
    if (this.#standing.kind !== "noting" || this.#standing.begun === "chosen") return;
    if (this.#note.getValue() === "") this.#giveBack();
  }

  #giveBack(): void {
    this.#note.setValue("");
    this.#standing = { kind: "choosing", chosen: this.#standing.chosen };
    this.#resting = true;
    this.#options.rest();
  }

  #step({ standing, effect }: Step, data: string): void {
    this.#standing = standing;
    this.#resting &&= this.noting();
    switch (effect.kind) {
      case "none":
        break;
      case "answer":
        this.#answer();
        break;
      case "hold":
        this.#options.hold();
        break;
      case "scroll":
        this.#scroll(effect.pages);
        break;
      case "note":
        if (effect.text !== "") this.#note.handleInput(bracketedPaste(effect.text));
        break;
      case "edit":
        if (effect.text !== "") this.#options.toEditor(effect.text);
        if (effect.key) this.#options.toEditor(data);
        break;
      case "send":
        this.#options.toEditor(data);
        this.#options.startOver();
        break;
      case "setAside":
        this.#setAside = true;
        this.#resting = true;
        this.#options.rest();
    }
  }

  #answer(): void {
    const answer = answers[this.#standing.chosen]?.[0] ?? "deny";
    if (answer === "deny") this.#deny("");
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
    return Math.max(1, rows - (this.noting() || this.#drafted() ? 3 : 2));
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
    if (this.#closed()) return [...lines, theme.style("dim", "…")];
    if (this.noting()) return [...lines, ...this.#noteLines(width)];
    const choices = this.#tall() ? answers.map((_, index) => this.#choice(index)) : [this.#choices(width)];
    return [...lines, ...choices, ...this.#draftLines(width)];
  }

  #body(width: number): readonly string[] {
    if (this.#lines?.width !== width)
      this.#lines = { width, lines: permissionLines(this.#options.request, width, this.#options.theme) };
    return this.#lines.lines;
  }

  #noteLines(width: number): readonly string[] {
    this.#note.focused = this.focused;
    const { theme } = this.#options;
    const typed = this.#standing.kind === "noting" && this.#standing.begun === "typed";
    const title = typed
      ? "Denied with this note when you press Enter:"
      : "Denied. What shall the model do instead?";
    const line = [fitLine(theme.style("title", title), width), ...this.#note.render(width)];
    if (!this.#tall()) return line;
    const keys = typed
      ? "Enter denies · Esc clears it and goes back to the answers"
      : "Enter denies, with or without a note · Esc goes back";
    return [...line, fitLine(theme.style("dim", keys), width)];
  }

  /** What stands in the editor is out of sight there, and has the keys. */
  #draftLines(width: number): readonly string[] {
    if (!this.#drafted()) return [];
    const { theme } = this.#options;
    const draft = screenLine(this.#options.draft().trim().slice(-400));
    const before = "Not sent yet: ";
    const fits = [...draft].slice(-Math.max(1, Math.floor((width - before.length) / 2)));
    const cut = visibleWidth(draft) > width - before.length ? `…${fits.slice(1).join("")}` : draft;
    const keys = "Enter sends it · Tab: answer first, it is kept · 4 denies";
    const text = fitLine(`${before}${theme.style("selected", cut)}`, width);
    return this.#tall() ? [text, fitLine(theme.style("dim", keys), width)] : [text];
  }

  #choice(index: number): string {
    const { theme } = this.#options;
    const { kind, chosen } = this.#standing;
    const held = kind === "held" && index === chosen ? " …" : "";
    const text = `[${index + 1}] ${answers[index]?.[1] ?? ""}${held}`;
    return index === chosen ? `${theme.style("accent", "›")} ${theme.style("selected", text)}` : `  ${text}`;
  }

  /** All on one line, shorter where they would not fit. */
  #choices(width: number): string {
    const { theme } = this.#options;
    const words = width < 52 ? shortestAnswers : shortAnswers;
    return words
      .map((word, index) => {
        const text = width < 52 ? `${index + 1} ${word}` : `[${index + 1}] ${word}`;
        return index === this.#standing.chosen ? theme.style("selected", text) : text;
      })
      .join(width < 52 ? " " : "  ");
  }
}

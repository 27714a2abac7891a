/**
 * Draws the permission question in place of the editor. The person answers by number or arrow keys, and can write a
 * note with a denial.
 */
import { type Component, type Focusable, Input, matchesKey } from "@earendil-works/pi-tui";
import { countText, defined, planOf } from "@localharness/protocol";
import { bracketedPaste } from "../editor/bracketed-paste.ts";
import { pastedText } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import {
  type AnswerState,
  type AnswerStep,
  type ChoiceCount,
  keysAlone,
  type Press,
  readPress,
  takePress,
  textOf,
} from "./answer-keys.ts";
import { choiceLine, choiceLines, draftLines } from "./answer-lines.ts";
import type { PermissionPromptOptions } from "./permission-prompt-options.ts";
import type { PlanEditor } from "./plan-editor.ts";
import { type Choice, type Question, questionOf } from "./question.ts";

/** The number of rows from which each answer gets its own line and the text above the prompt stays visible. */
const tallRows = 12;
/** The minimum numbers of rows and columns. In a smaller window the person could not see what they allow. */
const minRows = 4;
const minColumns = 36;
/** The maximum length of a paste in a note, in UTF-16 units. A longer paste is put into the editor. */
const maxPastedChars = 100_000;

/** The drawn question. `room` is the maximum number of lines that stay beside the answers. */
interface Body {
  readonly width: number;
  readonly room: number;
  readonly body: readonly string[];
  /** The number of lines of the body that say what would be done. */
  readonly needed: number;
  readonly stays: readonly string[];
}

export class PermissionPrompt implements Component, Focusable {
  focused = false;
  readonly #options: PermissionPromptOptions;
  readonly #question: Question;
  readonly #note = new Input();
  /** The plan that the person edited; undefined while it is unchanged. */
  #edited: string | undefined;
  /** The field in which the person edits the plan, while it is open. */
  #editor: PlanEditor | undefined;
  #state: AnswerState = { kind: "choosing", chosen: 0 };
  #top = 0;
  /** The number of rows of the scrolling text in the last drawing. */
  #shownRows = 1;
  /** True just after a note was cancelled, a draft set aside or a plan closed. No key answers, but text begins a note. */
  #resting = false;
  /** True after Tab: the person answers the question first, and the draft stays in the editor. */
  #setAside = false;
  #columns = Number.POSITIVE_INFINITY;
  #lines: Body | undefined;
  /** True while the person wants to see all facts. */
  #more = false;
  /** True once the last line that says what would be done was drawn. */
  #read = false;
  /**
   * The answer that the person tried to give before the whole question was shown. If the same key is pressed again, the
   * answer counts.
   */
  #unread: number | undefined;

  constructor(options: PermissionPromptOptions) {
    this.#options = options;
    this.#question = questionOf(options.request, options.openEditor !== undefined);
    this.#note.onSubmit = (text) => this.#deny(text);
    this.#note.onEscape = () => this.#cancelNote();
  }

  /** Returns true while the person writes a note or edits the plan. */
  noting(): boolean {
    return this.#state.kind === "noting" || this.#editor !== undefined;
  }

  /** Returns false while a key may have been meant for something else. */
  ready(): boolean {
    return this.#options.ready();
  }

  invalidate(): void {
    this.#lines = undefined;
  }

  /** Called after a dialog covered the question or the draft was sent. The next keys are not meant for the question. */
  startOver(): void {
    this.dropHeld();
    this.#resting = false;
    this.#setAside = false;
  }

  /** Called when no other key followed the held key. Answers, unless the window is too small or the person must read on. */
  settleHeld(): void {
    if (this.#tooSmall() || this.#mustReadOn()) this.dropHeld();
    else this.#step(keysAlone(this.#state, this.#choices()), "");
  }

  /**
   * Returns true if the held key would allow a call whose question was not yet shown to the end. Returns false if the same
   * answer is tried again right afterwards.
   */
  #mustReadOn(): boolean {
    const { kind, chosen } = this.#state;
    const does = this.#question.choices[chosen]?.does;
    const allows = kind === "held" && does?.kind === "answer" && does.answer !== "deny";
    if (!allows || this.#read || this.#unread === chosen) return false;
    this.#unread = chosen;
    return true;
  }

  dropHeld(): void {
    if (this.#state.kind === "held") this.#state = { kind: "choosing", chosen: this.#state.chosen };
  }

  handleInput(data: string): void {
    const choices = this.#choices();
    if (this.#editor !== undefined) this.#takeIntoPlan(this.#editor, data);
    else if (this.#closed()) this.#takeEarly(data);
    else if (this.#tooSmall()) {
      if (data === String(choices.denial + 1)) this.#deny("");
    } else if (this.noting()) this.#takeIntoNote(data);
    else this.#press(readPress(data, choices), data);
  }

  /** Handles a key that may answer. Ignores a digit that is no choice; the arrow keys skip a choice that is not offered. */
  #press(press: Press, data: string): void {
    const isFirst = this.#state.kind === "choosing" && !this.#drafted();
    const digit = textOf(press) ?? "";
    if (isFirst && this.#isNoChoice(digit)) return;
    const choices = this.#choices();
    let step = takePress(this.#state, press, this.#drafted(), choices, this.#options.isApart());
    while (step.state.kind === "choosing" && !this.#question.offers(step.state.chosen))
      step = takePress(step.state, press, this.#drafted(), choices);
    this.#step(step, data);
  }

  /** Handles a paste as text, even if it is a digit that would answer. */
  paste(text: string): void {
    if (this.#editor !== undefined) {
      this.#editor.paste(text);
      return;
    }
    const early = this.#closed() && !this.#resting;
    const drafted = this.#drafted() && !this.noting();
    if (early || drafted || this.#tooSmall() || text.length > maxPastedChars) {
      if (this.#state.kind === "held") this.#options.toEditor(this.#state.text);
      this.dropHeld();
      this.#options.pasteToEditor(text);
      return;
    }
    const line = pastedText(text).replaceAll("\n", " ");
    if (this.noting()) this.#note.handleInput(bracketedPaste(line));
    else this.#step(takePress(this.#state, { kind: "text", text: line }, false, this.#choices()), "");
  }

  /** Returns true while no key may answer. A note that was begun in this time is not closed: it gets the keys. */
  #closed(): boolean {
    return !this.#options.ready() && !(this.#resting && this.noting());
  }

  #choices(): ChoiceCount {
    return { count: this.#question.choices.length, denial: this.#question.denial };
  }

  #drafted(): boolean {
    return !this.#setAside && this.#options.draft().trim() !== "";
  }

  #takeEarly(data: string): void {
    if (!this.#resting) {
      this.#options.toEditor(data);
      return;
    }
    const text = textOf(readPress(data, this.#choices()));
    if (text === undefined) return;
    this.#step(takePress(this.#state, { kind: "text", text }, false, this.#choices()), data);
  }

  /** Gives a key to the note. If the note began with typed text, it is cancelled when its text becomes empty. */
  #takeIntoNote(data: string): void {
    this.#note.handleInput(data);
    if (this.#state.kind !== "noting" || this.#state.begun === "chosen") return;
    if (this.#note.getValue() === "") this.#cancelNote();
  }

  #cancelNote(): void {
    this.#note.setValue("");
    this.#state = { kind: "choosing", chosen: this.#state.chosen };
    this.#resting = true;
    this.#options.rest();
  }

  #step({ state, effect }: AnswerStep, data: string): void {
    this.#state = state;
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
      case "more":
        this.#more = !this.#more;
        this.#lines = undefined;
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
    const does = this.#question.choices[this.#state.chosen]?.does;
    if (does?.kind === "edit") this.#editPlan();
    else if (does === undefined || does.answer === "deny") this.#deny("");
    else this.#allow(does);
  }

  #allow({ answer, mode, offer, wider }: Extract<Choice["does"], { kind: "answer" }>): void {
    const approval = mode === undefined ? undefined : { mode, ...defined({ plan: this.#edited }) };
    const more = wider === true ? { wider } : approval;
    this.#options.answer(answer, undefined, offer === undefined ? more : { offer });
  }

  #editPlan(): void {
    const text = this.#edited ?? planOf(this.#options.request) ?? "";
    this.#editor = this.#options.openEditor?.(text, (edited) => {
      this.#edited = edited ?? this.#edited;
      this.#leavePlan();
    });
  }

  #takeIntoPlan(editor: PlanEditor, data: string): void {
    if (matchesKey(data, "escape")) this.#leavePlan();
    else editor.handleInput(data);
  }

  /** Closes the field of the plan. Keys pressed in the next moment were meant for the field, so they do not answer. */
  #leavePlan(): void {
    this.#editor = undefined;
    this.#lines = undefined;
    this.#read = false;
    this.#unread = undefined;
    this.#state = { kind: "choosing", chosen: 0 };
    this.#top = 0;
    this.#resting = true;
    this.#options.rest();
  }

  /** Denies with a note. A note that is only a digit without a choice was meant as an answer, so the model does not get it. */
  #deny(note: string): void {
    const trimmed = note.trim();
    this.#options.answer("deny", trimmed === "" || this.#isNoChoice(trimmed) ? undefined : trimmed);
  }

  /** Returns true if the text is only a digit, and no choice has it. */
  #isNoChoice(text: string): boolean {
    return /^\d$/.test(text) && !this.#question.offers(Number(text) - 1);
  }

  #scroll(pages: number): void {
    this.#top += pages * Math.max(1, this.#shownRows - 1);
  }

  #tall(): boolean {
    return this.#options.rows() >= tallRows;
  }

  #tooSmall(): boolean {
    return this.#options.rows() < minRows || this.#columns < minColumns;
  }

  /** Returns the rows above the answers, for the text of the question and in a tall window the line that tells the place. */
  #room(): number {
    const rows = this.#options.rows();
    if (this.#tall()) return rows - 1 - this.#answerRows() - (this.#drafted() ? 2 : 0);
    return Math.max(1, rows - (this.noting() || this.#drafted() ? 3 : 2));
  }

  render(width: number): string[] {
    const { theme, ready, drawn } = this.#options;
    drawn();
    this.#columns = width;
    if (this.#tooSmall()) {
      const keys = `${this.#question.denial + 1} ${this.#question.denies}`;
      return [theme.style("warning", ready() ? `make the window larger to see the question; ${keys}` : "…")];
    }
    if (this.#editor !== undefined) return [...this.#editor.render(width, this.focused)];
    const { body, needed, stays } = this.#body(width);
    const all = this.#room() - stays.length;
    // The line that tells the place takes a row if the text scrolls. A low window has a row for it.
    const room = this.#tall() && body.length > all ? all - 1 : all;
    this.#shownRows = room;
    this.#top = Math.max(0, Math.min(this.#top, body.length - room));
    const shown = body.slice(this.#top, this.#top + room);
    const lines = this.#tall() ? [theme.style("border", "─".repeat(width)), ...shown] : [...shown];
    const end = this.#top + shown.length;
    this.#read ||= end >= needed;
    if (body.length > room) {
      const place = `lines ${this.#top + 1} to ${end} of ${body.length} · PgDn PgUp`;
      const again = `${(this.#unread ?? 0) + 1} again allows; ${countText(needed - end, "line")} unread · PgDn`;
      const isAsked = !this.#read && this.#unread !== undefined;
      lines.push(theme.style("accent", fitLine(isAsked ? again : place, width)));
    }
    lines.push(...stays);
    if (this.#closed()) return [...lines, theme.style("dim", "…")];
    if (this.noting()) return [...lines, ...this.#noteLines(width)];
    const { kind, chosen } = this.#state;
    const shownState = { chosen, held: kind === "held" };
    const choices = this.#tall()
      ? choiceLines(this.#question, shownState, theme, width)
      : [choiceLine(this.#question, shownState, theme, width)];
    return [...lines, ...choices, ...this.#draftLines(width)];
  }

  /**
   * Returns the text that scrolls. In a window with enough room it also returns lines that stay visible beside the
   * answers.
   */
  #body(width: number): Body {
    const room = Math.floor(this.#room() / 2);
    if (this.#lines?.width !== width || this.#lines.room !== room) {
      const { theme } = this.#options;
      const more = this.#more || !this.#tall();
      const apart = this.#more ? undefined : this.#question.drawApart?.(width, theme);
      const whole = this.#question.draw(width, theme, more, this.#edited);
      const isLong = (more ? whole.needed : whole.lines.length) > this.#room();
      const fits = isLong && this.#tall() && apart !== undefined && apart.stays.length <= room;
      const body = fits ? apart.scrolls : whole.lines;
      const needed = fits ? body.length : whole.needed;
      const summary =
        apart === undefined || room < 1 || body.length <= this.#room() ? [] : apart.summary(room);
      this.#lines = { width, room, body, needed, stays: fits ? apart.stays : summary };
    }
    return this.#lines;
  }

  /** Returns the number of rows of the answers, or of the note, which takes three. */
  #answerRows(): number {
    return Math.max(3, this.#question.choices.filter((_, index) => this.#question.offers(index)).length);
  }

  #noteLines(width: number): readonly string[] {
    this.#note.focused = this.focused;
    const { theme } = this.#options;
    const { denied, denies } = this.#question;
    const typed = this.#state.kind === "noting" && this.#state.begun === "typed";
    const title = typed
      ? `${denied} with this note when you press Enter:`
      : `${denied}. What should the model do instead?`;
    const line = [fitLine(theme.style("title", title), width), ...this.#note.render(width)];
    if (!this.#tall()) return line;
    const keys = typed
      ? `Enter ${denies} · Esc clears it and goes back to the answers`
      : `Enter ${denies}, with or without a note · Esc goes back`;
    return [...line, fitLine(theme.style("dim", keys), width)];
  }

  /** Draws the draft, because the question hides the editor while the draft gets the keys. */
  #draftLines(width: number): readonly string[] {
    if (!this.#drafted()) return [];
    const denial = `${this.#question.denial + 1} ${this.#question.denies}`;
    const lines = draftLines(this.#options.draft(), denial, this.#options.theme, width);
    return this.#tall() ? lines : lines.slice(0, 1);
  }
}

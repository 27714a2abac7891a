/** Asks the person what an MCP server or the model wants to know: one value after another, then whether to send them. */
import { type Component, CURSOR_MARKER, matchesKey } from "@earendil-works/pi-tui";
import {
  type AsksModel,
  answerGoesText,
  askerText,
  type JsonValue,
  modelRequestText,
  numberedChoices,
  type QuestionAction,
  type QuestionField,
  readValue,
  type ServerQuestion,
  typedKind,
} from "@localharness/protocol";
import type { App, Dialog } from "../app.ts";
import { pastedIn } from "../editor/bracketed-paste.ts";
import { judgedLine, judgedText } from "../plain-text.ts";
import { fitLine } from "../screen/fit-line.ts";
import { pasteMs } from "../screen/unmarked-pastes.ts";
import { wrapWords } from "../transcript/wrap-words.ts";
import { typeInto } from "./typed-line.ts";

/**
 * Enter counts if the question has been visible, and no key has come, for this many milliseconds. In a form it also counts
 * at once after a value whose first key came so late, because such a value was meant for the question.
 */
const quietMs = 300;

/** The rows of a request for the model that are not its text. */
const modelFrameRows = 8;

export function serverQuestion(question: ServerQuestion): Dialog {
  return (app, close) => new QuestionForm(app, close, question);
}

class QuestionForm implements Component {
  readonly #app: App;
  readonly #close: () => void;
  readonly #question: ServerQuestion;
  readonly #values: Record<string, JsonValue> = {};
  /** The index of the shown part of a request for the model. */
  #part = 0;
  /** The number of parts of the request. */
  #parts = 1;
  /** The index of the field whose value is asked for. After the last field the dialog asks whether to send the values. */
  #at = 0;
  #typed = "";
  #problem = "";
  /** True if the value was typed for this field: its first key came after a quiet time, and no part of it was pasted. */
  #isMeant = false;
  /** The time of the last key, or of the first drawing; undefined before the question was drawn. */
  #quietSince: number | undefined;

  constructor(app: App, close: () => void, question: ServerQuestion) {
    this.#app = app;
    this.#close = close;
    this.#question = question;
  }

  invalidate(): void {}

  /** Cancels the question after the person has closed the dialog with Ctrl+C. */
  onLeave(): void {
    this.#send("cancel");
  }

  handleInput(data: string): void {
    const quiet = this.#quietSince === undefined ? 0 : performance.now() - this.#quietSince;
    this.#quietSince = this.#quietSince === undefined ? undefined : performance.now();
    if (matchesKey(data, "escape")) this.#settle("decline");
    else if (matchesKey(data, "enter")) {
      if (quiet >= quietMs || (this.#isMeant && quiet >= pasteMs)) this.#enter();
      else this.#problem = "Enter came too soon to count: press it again";
    } else this.#type(data, quiet);
    this.#app.redraw();
  }

  #type(data: string, quiet: number): void {
    const typed = typeInto(this.#typed, data);
    if (typed === undefined || !this.#needsText()) return;
    const begins = this.#typed === "" && quiet >= quietMs;
    this.#isMeant = this.#field() !== undefined && (begins || this.#isMeant) && pastedIn(data) === undefined;
    this.#typed = typed;
  }

  #needsText(): boolean {
    const { kind } = this.#question.asks;
    return this.#field() !== undefined || kind === "page" || (kind === "model" && this.#isLastPart());
  }

  #isLastPart(): boolean {
    return this.#part >= this.#parts - 1;
  }

  #field(): QuestionField | undefined {
    const { asks } = this.#question;
    return asks.kind === "form" ? asks.fields[this.#at] : undefined;
  }

  #enter(): void {
    const field = this.#field();
    const { kind } = this.#question.asks;
    if (kind === "model" && !this.#isLastPart()) {
      this.#part += 1;
      return;
    }
    if (field === undefined) {
      const agrees = kind === "form" || this.#typed.trim().toLowerCase() === "yes";
      this.#problem = agrees ? "" : `type yes if you ${kind === "page" ? "open the page" : "allow it"}`;
      if (agrees) this.#settle("accept");
      return;
    }
    const read = readValue(field, this.#typed);
    this.#problem = read.ok ? "" : read.message;
    if (!read.ok) return;
    if (read.value !== undefined) this.#values[field.name] = read.value;
    this.#at += 1;
    this.#typed = "";
    this.#isMeant = false;
    // A question of the model has one field, so that there is nothing to look over.
    if (this.#question.server === undefined && this.#field() === undefined) this.#settle("accept");
  }

  #settle(action: QuestionAction): void {
    this.#send(action);
    this.#close();
  }

  #send(action: QuestionAction): void {
    const { questionId } = this.#question;
    const values = action === "accept" ? { values: this.#values } : {};
    this.#app.send({ type: "server-question-answer", questionId, action, ...values });
  }

  render(width: number): string[] {
    this.#quietSince ??= performance.now();
    const theme = this.#app.theme();
    const { message, asks } = this.#question;
    if (asks.kind === "model") return this.#modelLines(asks, width);
    const wrapped = (text: string) => wrapWords(text, Math.max(8, width - 4)).map((line) => `  │ ${line}`);
    const head = [
      theme.style("title", `${this.#asker()} asks you`),
      theme.style("dim", answerGoesText(this.#question)),
      ...judgedText(message).split("\n").flatMap(wrapped),
    ];
    const body = asks.kind === "page" ? this.#pageLines(asks.url, width) : this.#formLines(wrapped);
    const problem = this.#problem === "" ? [] : [theme.style("warning", this.#problem)];
    const keys = theme.style("dim", "Enter goes on · Esc declines");
    const lines = [theme.style("border", "─".repeat(width)), ...head, ...body, ...problem, keys];
    return lines.map((line) => fitLine(line, width));
  }

  /** Shows a request for the model in parts that fit into the window, and asks with the last one. */
  #modelLines(asks: AsksModel, width: number): string[] {
    const theme = this.#app.theme();
    const wrapped = modelRequestText(asks)
      .split("\n")
      .flatMap((line) => wrapWords(line, Math.max(8, width - 2)));
    const room = Math.max(1, this.#app.rows() - modelFrameRows);
    this.#parts = Math.ceil(wrapped.length / room);
    this.#part = Math.min(this.#part, this.#parts - 1);
    const from = this.#part * room;
    const title = `${this.#asker()} asks for an answer of your model`;
    const ask = this.#isLastPart()
      ? `Type yes to allow this once: ${this.#line()}`
      : "Enter shows the next part";
    const lines = [
      theme.style("border", "─".repeat(width)),
      theme.style("title", title),
      theme.style("dim", `Part ${this.#part + 1} of ${this.#parts}. The model gets this and nothing else.`),
      ...wrapped.slice(from, from + room),
      ...(this.#problem === "" ? [] : [theme.style("warning", this.#problem)]),
      ask,
      theme.style("dim", "Enter goes on · Esc declines"),
    ];
    return lines.map((line) => fitLine(line, width));
  }

  /** The address is wrapped, never cut: the person must see where it leads. */
  #pageLines(url: string, width: number): readonly string[] {
    const address = wrapWords(judgedLine(url), Math.max(8, width - 2)).map((line) => `  ${line}`);
    return [
      "It wants you to open this page in your browser:",
      ...address,
      `Type yes if you open it: ${this.#line()}`,
    ];
  }

  #formLines(wrapped: (text: string) => readonly string[]): readonly string[] {
    const field = this.#field();
    if (field === undefined) return [`Sends: ${judgedLine(JSON.stringify(this.#values))}`, "Enter sends it."];
    const count = this.#question.asks.kind === "form" ? this.#question.asks.fields.length : 0;
    const hint =
      field.preset === undefined
        ? field.required
          ? "needed"
          : "Enter leaves it out"
        : "Enter takes the default";
    const preset = field.preset === undefined ? "" : `: ${JSON.stringify(field.preset)}`;
    return [
      `${this.#at + 1}/${count} ${judgedLine(field.title)} (${typedKind(field)}; ${hint}${judgedLine(preset)})`,
      ...[field.about ?? "", ...numberedChoices(field)]
        .filter((text) => text !== "")
        .flatMap((text) => wrapped(judgedLine(text))),
      this.#line(),
    ];
  }

  #asker(): string {
    const text = askerText(this.#question);
    return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  }

  #line(): string {
    return `> ${judgedLine(this.#typed)}${CURSOR_MARKER}`;
  }
}

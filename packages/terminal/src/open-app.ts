/** Runs the app: shows one session on the screen, dispatches keys and pastes, and follows the session's events. */
import type { Component } from "@earendil-works/pi-tui";
import type {
  Command,
  Host,
  ImageContent,
  PermissionMode,
  SessionChoice,
  SessionEvent,
  SessionLink,
  View,
} from "@localharness/protocol";
import { applyEvent, createTaskList, defined, emptyView, foldEvents } from "@localharness/protocol";
import type { App, Dialog } from "./app.ts";
import type { Attention } from "./attention/attention.ts";
import { Deck } from "./deck.ts";
import { createOpenDialogs, type OpenDialogs } from "./dialogs/open-dialogs.ts";
import { bracketedPaste } from "./editor/bracketed-paste.ts";
import { editOutside } from "./editor/edit-outside.ts";
import { type EditorKeys, MessageEditor } from "./editor/message-editor.ts";
import { createKeyTable, type KeyTable } from "./keys.ts";
import { createMessageDesk, type MessageDesk } from "./obey-message.ts";
import { createSessionOpener, type SessionOpener } from "./open-session.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { createPace, type Pace } from "./pace.ts";
import { changesPlace, type PlaceFacts, readPlace, statusLine } from "./panels/status-line.ts";
import { drawTasks } from "./panels/task-panel.ts";
import { workingFrameMs, workingLine } from "./panels/working-line.ts";
import { createPersonsCommands, type PersonsCommands } from "./persons-command.ts";
import { pastedText, typedText } from "./plain-text.ts";
import { createGoOn, type GoOn } from "./prompt/go-on.ts";
import { createOpenQuestion, type OpenQuestion } from "./prompt/open-question.ts";
import type { PermissionPrompt } from "./prompt/permission-prompt.ts";
import { planEditors } from "./prompt/plan-editor.ts";
import { createServerQuestions } from "./prompt/server-questions.ts";
import { clipboardSequence } from "./screen/clipboard.ts";
import { createFrames, type FrameTimer } from "./screen/frames.ts";
import type { FrozenScreen } from "./screen/frozen-screen.ts";
import { createTerminalLoan, suspendProgram, type TerminalLoan } from "./screen/lend-terminal.ts";
import type { Theme } from "./theme/theme.ts";
import { createTranscript, type DrawnTranscript } from "./transcript/draw-timeline.ts";
import type { DrawnItem } from "./transcript/item.ts";

export interface ScreenFacts {
  /** A short description of the sandbox in which commands run. */
  readonly sandbox: string;
  readonly iterationLimit: number;
  readonly editorKeys?: EditorKeys;
}

export interface AppOptions {
  readonly host: Host;
  readonly link: SessionLink;
  readonly screen: FrozenScreen;
  readonly theme: Theme;
  readonly facts: ScreenFacts;
  readonly attention: Attention;
  onLeave(): void;
}

export class RunningApp implements App {
  readonly host: Host;
  readonly screen: FrozenScreen;
  readonly editor: MessageEditor;
  readonly commandsOfPerson: PersonsCommands;
  readonly goOn: GoOn = createGoOn({
    submit: (message) => this.submit(message),
    now: () => performance.now(),
  });
  readonly loan: TerminalLoan;
  readonly #options: AppOptions;
  readonly #keys: KeyTable;
  #link: SessionLink;
  #view: View = emptyView;
  #transcript: DrawnTranscript;
  #tasks = createTaskList();
  #pace: Pace = createPace();
  #theme: Theme;
  #rawCalls = false;
  #unsubscribe: () => void = () => undefined;
  readonly #question: OpenQuestion;
  readonly #dialogs: OpenDialogs;
  readonly #serverQuestions = createServerQuestions(this);
  readonly #outbox: Outbox;
  readonly #desk: MessageDesk;
  readonly #opener: SessionOpener = createSessionOpener(this);
  #place: PlaceFacts;
  readonly #frames: FrameTimer = createFrames(() => this.redraw(), workingFrameMs);
  #hint = "";

  constructor(options: AppOptions) {
    this.#options = options;
    this.host = options.host;
    this.screen = options.screen;
    this.#theme = options.theme;
    this.#link = options.link;
    this.#place = { branch: undefined, sandbox: options.facts.sandbox, jobs: 0 };
    this.#transcript = this.#newTranscript();
    this.editor = new MessageEditor({
      screen: options.screen,
      host: options.host,
      theme: () => this.#theme,
      warn: (text) => this.say(text, "warning"),
      keys: options.facts.editorKeys ?? "default",
      onMessage: (message, shown) => this.#desk.typed(message, shown),
    });
    this.commandsOfPerson = createPersonsCommands({
      app: this,
      loan: () => this.loan,
      add: (item) => this.#transcript.add(item),
      addToNext: (text) => this.#outbox.addToNext(text),
      ended: () => void this.readPlace(),
    });
    this.#outbox = createOutbox({ app: this, editor: this.editor, model: () => this.#link.model() });
    const parts = { editor: this.editor, outbox: this.#outbox, opener: this.#opener };
    this.#desk = createMessageDesk({ app: this, ...parts, commandsOfPerson: this.commandsOfPerson });
    this.#question = createOpenQuestion({
      theme: this.theme,
      // One row is reserved for the status line.
      rows: () => this.rows() - 1,
      redraw: () => this.redraw(),
      draft: () => this.editor.getText(),
      toEditor: (data) => this.editor.handleInput(data),
      pasteToEditor: (text) => this.editor.paste(text),
      answer: (requestId, answer, note, more) =>
        this.send({ type: "permission-answer", requestId, answer, ...defined({ note }), ...more }),
      openEditor: planEditors(options.screen, this.theme),
    });
    this.#dialogs = createOpenDialogs(this, this.screen);
    this.loan = createTerminalLoan({
      screen: this.screen,
      returned: () => {
        this.#question.cover();
        this.#dialogs.redrawAfterSuspend();
      },
    });
    this.#keys = createKeyTable(this);
    const deck = new Deck({
      drawAbove: (width) => this.#drawAbove(width),
      front: () => this.#question.prompt() ?? this.#dialogs.panel() ?? this.editor,
      drawBelow: (width) => [this.#drawStatus(width)],
      rows: () => this.screen.terminal.rows,
      take: (data) => this.#takeKey(data),
    });
    this.screen.addChild(deck);
    this.screen.setFocus(deck);
    this.#follow(options.link);
  }

  link = (): SessionLink => this.#link;
  view = (): View => this.#view;
  mode = (): PermissionMode => this.#link.mode();
  theme = (): Theme => this.#theme;
  rawCalls = (): boolean => this.#rawCalls;
  columns = (): number => this.screen.terminal.columns;
  rows = (): number => this.screen.terminal.rows;
  tasks = () => this.#tasks.tasks();
  windowUsed = (): number | undefined => this.#pace.windowUsed();
  items = (): readonly DrawnItem[] => this.#transcript.items();

  setTheme(theme: Theme): void {
    this.#theme = theme;
    this.screen.drawAgain();
  }

  setRawCalls(on: boolean): void {
    this.#rawCalls = on;
  }

  say(text: string, level: "info" | "warning" | "error" = "info"): void {
    this.#transcript.add({ kind: "notice", level, text });
  }

  send(command: Command): void {
    this.#link.send(command);
  }

  edit(text: string, images: readonly ImageContent[] = []): void {
    for (const image of images) this.editor.images.hold(image);
    this.editor.setText([text, this.editor.getText()].filter((part) => part.trim() !== "").join("\n\n"));
    this.redraw();
  }

  redraw = (): void => this.screen.requestRender();

  copy(text: string): boolean {
    const sequence = clipboardSequence(text);
    if (sequence !== undefined) this.screen.terminal.write(sequence);
    return sequence !== undefined;
  }

  leave(): void {
    this.close();
    this.#options.onLeave();
  }

  /** Stops the timers and unsubscribes from the session. */
  close(): void {
    this.#unsubscribe();
    this.#frames.stop();
  }

  show(link: SessionLink, isFork = false): void {
    this.#unsubscribe();
    this.#view = emptyView;
    this.#transcript = this.#newTranscript();
    this.#tasks = createTaskList();
    this.#pace = createPace();
    this.#outbox.clear();
    this.goOn.close();
    this.#question.settle(undefined);
    this.screen.freeze((width) => [this.#theme.style("border", "─".repeat(width))]);
    this.#follow(link, isFork);
    void this.readPlace();
  }

  openSession(which: SessionChoice, opened?: () => void): Promise<boolean> {
    return this.#opener.open(which, opened);
  }

  open(dialog: Dialog, where: "panel" | "full" = "panel"): void {
    const covers = where === "full" || this.#question.prompt() !== undefined;
    this.#dialogs.open(dialog, covers ? "full" : where);
    if (covers) this.#question.cover();
  }

  /** Closes the dialog that has the focus. Returns false if no dialog is open. */
  leaveDialog = (): boolean => this.#dialogs.leave();

  /** Returns the kind of component that gets the keys. */
  inFront(): "full" | "question" | "panel" | "editor" {
    if (this.#dialogs.full() !== undefined) return "full";
    if (this.#question.prompt() !== undefined) return "question";
    return this.#dialogs.panel() === undefined ? "editor" : "panel";
  }

  /** Returns the open permission question; undefined when there is none. */
  question(): PermissionPrompt | undefined {
    return this.#question.prompt();
  }

  suspend(): void {
    void suspendProgram(this.loan);
  }

  interrupt = (): void => this.#outbox.interrupt();

  /** Opens the draft in the person's own editor. */
  editOutside(): void {
    void editOutside({ app: this, editor: this.editor, loan: this.loan });
  }

  /** Shows a text in place of the status line until the next key press. */
  hint(text: string): void {
    this.#hint = text;
    this.redraw();
  }

  submit(message: string): void {
    this.#outbox.submit(message);
  }

  /** Reads the name of the session for the terminal's title. */
  async readName(): Promise<void> {
    const { id } = this.#link;
    const name = await this.host.readSessionName().catch(() => "");
    if (this.#link.id === id) this.#options.attention.rename(name);
  }

  /** Reads the Git branch, which turns and commands may change, and where commands run, which differs between sessions. */
  async readPlace(): Promise<void> {
    this.#place = await readPlace(this.host, this.#place);
    this.redraw();
  }

  paste(text: string): void {
    const component = this.#front();
    if (component === this.editor) this.editor.paste(text);
    else if (component === this.#question.prompt()) this.question()?.paste(text);
    else if (text.length <= 100_000) component.handleInput?.(bracketedPaste(pastedText(text)));
    this.#question.pressed();
    this.redraw();
  }

  /** Clears the editor and adds its text to the history for ↑, where a text below 20,000 characters survives a restart. */
  putAside(): void {
    const draft = this.editor.getText();
    if (draft.trim() === "") return;
    this.editor.remember(draft);
    if (draft.length < 20_000) this.host.rememberMessage(draft).catch(() => undefined);
    this.editor.setText("");
  }

  /** Runs a slash command or sends a message. */
  take(message: string): void {
    this.#desk.take(message);
  }

  #takeKey(data: string): void {
    this.#hint = "";
    const typed = typedText(data);
    if (typed !== "" && !this.#keys.take(typed)) this.#front().handleInput?.(typed);
    this.#question.pressed();
  }

  #front(): Component {
    return this.#dialogs.full() ?? this.#question.prompt() ?? this.#dialogs.panel() ?? this.editor;
  }

  #follow(link: SessionLink, isFork = false): void {
    this.#link = link;
    this.#view = foldEvents(this.#view, link.history);
    for (const event of link.history) this.#track(event, false);
    this.#options.attention.startOver(this.#view);
    // A new session has no name, so none is read.
    if (link.history.length > 0) void this.readName();
    const { length } = this.items();
    if (length > 0) this.#drawPast(length);
    if (!isFork && length > 0 && this.#view.mode !== this.mode()) {
      this.say(`the mode is ${this.mode()}; this session was left in mode ${this.#view.mode}`);
    }
    this.#unsubscribe = link.subscribe((event) => {
      this.#take(event);
      this.#question.settle(this.#view.permission);
      this.#serverQuestions.settle(this.#view.question);
      // The working line is animated only while a turn runs and no permission question is open.
      this.#frames.animate(this.#view.turn.running && this.#view.permission === undefined);
      this.#frames.soon();
      this.#options.attention.settle(this.#view);
    });
  }

  /** Draws the last 20 items of a resumed session; the transcript viewer has all of them. */
  #drawPast(length: number): void {
    const shown = this.items().slice(-20);
    if (shown.length < length) this.say(`${length - shown.length} earlier messages · Ctrl+O shows them`);
    for (const item of shown) this.#transcript.draw(item);
  }

  #take(event: SessionEvent): void {
    this.#view = applyEvent(this.#view, event);
    this.#track(event, true);
    this.goOn.take(event);
    if (changesPlace(event)) void this.readPlace();
  }

  #track(event: SessionEvent, live: boolean): void {
    this.#transcript.take(event, live);
    this.#tasks.take(event);
    this.#pace.take(event, performance.now());
    this.#outbox.take(event);
  }

  #newTranscript(): DrawnTranscript {
    return createTranscript({
      theme: () => this.#theme,
      rawCalls: () => this.#rawCalls,
      freeze: (part) => this.screen.freeze(part),
      typedPart: (content) => this.#outbox.typedPart(content),
      now: () => performance.now(),
    });
  }

  #drawAbove(width: number): readonly string[] {
    const running = [...this.#transcript.drawLive(width), ...this.commandsOfPerson.draw(width)];
    const lines = [...running, ...this.#outbox.draw(this.#theme)];
    if (this.#question.prompt() !== undefined) return lines;
    if (this.#view.turn.running) {
      const doing = this.#transcript.doing() ?? "working";
      const { iteration } = this.#view.turn;
      const { iterationLimit } = this.#options.facts;
      const ms = this.#pace.stepMs(performance.now());
      lines.push(workingLine({ doing, ms, iteration, iterationLimit }, this.#theme));
    }
    lines.push(...this.goOn.draw(this.#theme));
    lines.push(...drawTasks(this.tasks(), width, Math.floor(this.rows() / 4), this.#theme));
    return lines;
  }

  #drawStatus(width: number): string {
    if (this.#hint !== "") return this.#theme.style("warning", this.#hint);
    return statusLine(
      {
        ...this.#options.facts,
        ...this.#place,
        view: this.#view,
        editing: this.editor.mode(),
        mode: this.mode(),
        windowUsed: this.#pace.windowUsed(),
        tokensPerSecond: this.#pace.tokensPerSecond(performance.now()),
        model: this.#link.model(),
      },
      width,
      this.#theme,
    );
  }
}

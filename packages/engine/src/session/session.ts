/** Runs a session: takes commands, runs turns one after another, and reports everything that happens as events. */
import {
  type AttachedFile,
  type Command,
  type EventBody,
  type ImageContent,
  type PermissionMode,
  reasonOf,
  type View,
} from "@localharness/protocol";
import { runTurn } from "../agent-loop.ts";
import { systemClock } from "../clock.ts";
import { freshId } from "../fresh-id.ts";
import type { Model, ToolDefinition } from "../model.ts";
import { planNote, wasToldOfPlan } from "../plan/plan-notes.ts";
import type { PolicyRule } from "../policy/rule.ts";
import type { GivenAnswer } from "../questions/ask-person.ts";
import type { ToolRegistry } from "../registry.ts";
import { compact } from "../turn/ask-in-window.ts";
import type { Compaction } from "../turn/prompt-window.ts";
import { needsSummary, withSummary } from "../turn/summarise.ts";
import { busyText, notCompactedText, nothingToCompactText } from "../turn/texts.ts";
import type { AnswerForm, Turn } from "../turn/turn.ts";
import type { TurnEnd } from "../turn/turn-end.ts";
import { createEventOutlet, type EventOutlet, type SessionListener } from "./event-outlet.ts";
import {
  createFoldedTranscript,
  type FoldedTranscript,
  type TranscriptOfTurn,
  transcriptOfTurn,
} from "./folded-transcript.ts";
import { folderChange } from "./folder-change.ts";
import { withOwnTools } from "./own-tools.ts";
import { messageEvents, type Said, said, warning } from "./said.ts";
import { createServerQuestions, type ServerQuestions } from "./server-questions.ts";
import { createSessionCalls, type SessionCalls } from "./session-calls.ts";
import type { AskedByServer, Session, SessionOptions, SystemPrompt } from "./session-options.ts";
import { closingEvents, highestTurn } from "./take-up.ts";
import { whyAutoAsks } from "./why-auto-asks.ts";
import { whyNoTurn } from "./why-no-turn.ts";

/** Returns a session. It starts with its first turn. */
export function createSession(options: SessionOptions): Session {
  return new RunningSession(options);
}

class RunningSession implements Session {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #transcript: FoldedTranscript;
  readonly #calls: SessionCalls;
  readonly #questions: ServerQuestions;
  readonly #ofTurn: TranscriptOfTurn;
  readonly #outlet: EventOutlet;
  readonly #earlyNotices: EventBody[] = [];
  /** True if the session continues an earlier one. */
  readonly #isResumed: boolean;
  #mode: PermissionMode;
  #model: Model;
  #registry: ToolRegistry;
  /** True if the last note to the model said that the mode `plan` is on. */
  #toldOfPlan: boolean;
  /** The tools of the next turn, if they were changed during a turn. */
  #nextRegistry: ToolRegistry | undefined;
  #turns = 0;
  #turnId = "";
  #steering: Said[] = [];
  #interrupt: AbortController | undefined;
  #running: Promise<unknown> | undefined;
  #started = false;
  #closed = false;

  constructor({ history = [], ...options }: SessionOptions) {
    // `options` is kept without the history, which may be large and is in the view.
    this.#options = options;
    this.id = options.sessionId ?? freshId();
    const clock = options.clock ?? systemClock;
    this.#mode = options.mode ?? "default";
    this.#model = options.model;
    this.#registry = this.#withOwnTools(options.registry);
    this.#outlet = createEventOutlet({
      store: options.store,
      onFailure: (message) => this.#emit(warning("listener-failed", message)),
    });
    this.#isResumed = history.length > 0;
    this.#transcript = createFoldedTranscript(this.id, history);
    this.#ofTurn = transcriptOfTurn(this.#transcript, (body) => this.#emit(body), options);
    this.#toldOfPlan = wasToldOfPlan(this.view().messages);
    this.#turns = highestTurn(history);
    this.#turnId = this.view().turn.id;
    for (const body of closingEvents(this.view(), clock)) this.#emit(body);
    this.#turnId = "";
    this.#calls = createSessionCalls(options, {
      id: this.id,
      clock,
      transcript: this.#transcript,
      mode: () => this.#mode,
      model: () => this.#model,
      registry: () => this.#registry,
      emit: (body) => this.#emit(body),
      askPerson: (question, signal) => this.askForServer(question, signal),
    });
    this.#questions = createServerQuestions(this, options, (body) => this.#emit(body));
    this.#tellOfAuto();
  }

  /** Warns the person if this folder limits the mode `auto`: each command asks, or nothing may be changed. */
  #tellOfAuto(): void {
    const why = this.#mode === "auto" ? whyAutoAsks(this.#options) : undefined;
    if (why !== undefined) this.notice("warning", "auto-asks", `mode auto: ${why}`);
  }

  subscribe(listener: SessionListener): () => void {
    return this.#outlet.subscribe(listener);
  }

  view(): View {
    return this.#transcript.view();
  }

  mode(): PermissionMode {
    return this.#mode;
  }

  model(): string {
    return this.#model.name;
  }

  tools(): readonly ToolDefinition[] {
    return this.#offered(this.#nextRegistry ?? this.#registry);
  }

  /** Returns the descriptions of the tools for the model. In a folder that is not trusted, these are the read-only tools. */
  #offered(registry: ToolRegistry): readonly ToolDefinition[] {
    const all = registry.definitions();
    if (this.#options.trusted !== false) return all;
    return all.filter(({ name }) => registry.find(name)?.tool.readOnly === true);
  }

  send(command: Command): void {
    if (this.#closed) return;
    switch (command.type) {
      case "user-message":
        if (this.#running === undefined) {
          const { content, images, files } = command;
          this.prompt(content, images, undefined, files).catch((error) => this.#reportBroken(error));
        } else this.#steering.push(said(command.content, command.images, command.files));
        return;
      case "permission-answer":
        this.#calls.answer(command.requestId, command);
        return;
      case "server-question-answer":
        this.#questions.answer(command);
        return;
      case "interrupt":
        if (command.dropsWaiting === true) this.#steering = [];
        this.#interrupt?.abort();
        return;
      case "set-mode":
        this.#changeMode(command.mode);
        return;
      case "compact":
        this.#compact(command.keep);
    }
  }

  #compact(keep: string | undefined): void {
    const isBusy = this.#running !== undefined;
    const compaction = isBusy ? undefined : this.#ofTurn.promptWindow.onDemand(keep);
    if (isBusy) this.notice("info", "not-compacted", busyText);
    else if (compaction === undefined) this.notice("info", "not-compacted", nothingToCompactText);
    else if (needsSummary(compaction)) this.#running = this.#summariseAndCompact(compaction);
    else compact(this.#ofTurn, compaction);
  }

  /** Asks the model for a summary, and compacts unless interrupted. Messages sent meanwhile begin a turn afterwards. */
  async #summariseAndCompact(compaction: Compaction): Promise<void> {
    this.#interrupt = new AbortController();
    const turn = this.#turn(undefined);
    const summarised = await withSummary(turn, compaction);
    if (turn.signal.aborted) this.notice("info", "not-compacted", notCompactedText);
    else compact(turn, summarised);
    this.#interrupt = undefined;
    this.#running = undefined;
    const next = this.#steering.shift();
    if (next !== undefined) this.#running = this.#runTurns(next, undefined);
  }

  #changeMode(mode: PermissionMode): void {
    this.#mode = mode;
    if (this.#started) this.#emit({ type: "mode-changed", mode });
    this.#tellOfAuto();
  }

  askForServer(question: AskedByServer, signal: AbortSignal): Promise<GivenAnswer> {
    return this.#questions.ask(question, signal, this.#interrupt?.signal);
  }

  leaveUnanswered(): void {
    this.#questions.abandon();
    this.#calls.leaveUnanswered();
  }

  answers(): readonly PolicyRule[] {
    return this.#calls.answersOfSession();
  }

  takeBackAnswer(id: string): boolean {
    return this.#calls.takeBackAnswer(id);
  }

  foldersChanged(): void {
    const change = this.#started ? folderChange(this.#options, this.view()) : undefined;
    if (change !== undefined) this.#emit(change);
  }

  useModel(model: Model): void {
    this.#model = model;
    const { name, provider } = model;
    if (this.#started) this.#emit({ type: "model-changed", model: name, provider });
  }

  useTools(registry: ToolRegistry): void {
    this.#nextRegistry = this.#withOwnTools(registry);
    if (this.#running === undefined) this.#takeTools();
  }

  #withOwnTools(registry: ToolRegistry): ToolRegistry {
    return withOwnTools(registry, this.#options, {
      mode: () => this.#mode,
      goOnIn: (mode) => {
        this.#changeMode(mode);
        this.#toldOfPlan = false;
      },
    });
  }

  /** Tells the model that the mode `plan` has begun or ended, unless the model was already told. */
  #tellOfPlan(): void {
    const note = this.#options.plans === true ? planNote(this.#toldOfPlan, this.#mode) : undefined;
    if (note === undefined) return;
    this.#toldOfPlan = !this.#toldOfPlan;
    this.#emit({ type: "user-message", content: note, from: "harness" });
  }

  #takeTools(): void {
    if (this.#nextRegistry === undefined) return;
    this.#registry = this.#nextRegistry;
    this.#nextRegistry = undefined;
    if (this.#started) this.#emit({ type: "tools-changed", tools: this.#toolNames() });
  }

  #toolNames(): readonly string[] {
    return this.#registry.list().map((tool) => tool.name);
  }

  prompt(
    content: string,
    images?: readonly ImageContent[],
    answer?: AnswerForm,
    files?: readonly AttachedFile[],
  ): Promise<TurnEnd> {
    const problem = whyNoTurn(this.#closed, this.#running !== undefined);
    if (problem !== undefined) return Promise.reject(problem);
    const turns = this.#runTurns(said(content, images, files), answer);
    this.#running = turns;
    return turns;
  }

  notice(level: "info" | "warning", code: string, message: string): void {
    const body: EventBody = { type: "notice", level, code, message };
    if (this.#started) this.#emit(body);
    else this.#earlyNotices.push(body);
  }

  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running.catch(() => undefined);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#questions.abandon();
    this.#steering = [];
    this.#interrupt?.abort();
    await this.idle();
    this.#outlet.close();
  }

  /** Runs the turn, and one more for each message that came too late for the turn before. Resolves to the last end. */
  async #runTurns(first: Said, answer: AnswerForm | undefined): Promise<TurnEnd> {
    const fresh = () => {
      this.#interrupt = new AbortController();
    };
    fresh();
    try {
      let end = await this.#runOne(first, answer);
      for (let next = this.#steering.shift(); next !== undefined; next = this.#steering.shift()) {
        if (this.#interrupt?.signal.aborted) fresh();
        end = await this.#runOne(next);
      }
      return end;
    } finally {
      // There is no await since the last check for messages, so a message that comes now begins a new turn.
      this.#running = undefined;
      this.#interrupt = undefined;
    }
  }

  /** Reports a turn that could not begin. A turn that began always ends with an event. */
  #reportBroken(error: unknown): void {
    this.#emit(warning("internal-error", `the turn could not begin: ${reasonOf(error)}`));
  }

  async #runOne(message: Said, answer?: AnswerForm): Promise<TurnEnd> {
    const start = this.#started ? undefined : await this.#prepareStart();
    const news = await this.#news();
    this.#outlet.together(() => {
      this.#takeTools();
      start?.();
      this.#turns += 1;
      this.#turnId = `turn-${this.#turns}`;
      this.#calls.forgetEarlier();
      this.#calls.startTurn();
      this.#emit({ type: "turn-start" });
      for (const content of news) this.#emit({ type: "user-message", content, from: "harness" });
      this.#tellOfPlan();
      for (const body of messageEvents(message)) this.#emit(body);
    });
    const end = await runTurn(this.#turn(answer));
    await this.#calls.recorded();
    this.#emit(end);
    this.#turnId = "";
    return end;
  }

  async #news(): Promise<readonly string[]> {
    const { news } = this.#options;
    const before = news === undefined ? [] : await news().catch(() => []);
    return [...before, ...(this.#options.notes?.() ?? [])];
  }

  /** Reads the data for the start of the session. Resolves to a function that starts it. */
  async #prepareStart(): Promise<() => void> {
    const warnings = await this.#calls.loadPermissions();
    const prompt = this.#isResumed ? undefined : await this.#systemPrompt();
    return () => this.#start(prompt, warnings);
  }

  #start(prompt: SystemPrompt | undefined, warnings: readonly string[]): void {
    const { workspace } = this.#options;
    const { name, provider } = this.#model;
    const setting = { model: name, provider, workspace, mode: this.#mode, tools: this.#toolNames() };
    // `#started` is set after all steps that may throw. Until then a change of the mode emits no event, because the event
    // below reports the mode.
    this.#started = true;
    if (prompt === undefined) this.#emit({ type: "session-resumed", ...setting });
    else this.#emit({ type: "session-start", ...setting, systemPrompt: prompt.text });
    this.foldersChanged();
    for (const message of warnings) this.#emit(warning("policies", message));
    for (const message of prompt?.warnings ?? []) this.#emit(warning("instructions", message));
    for (const body of this.#earlyNotices.splice(0)) this.#emit(body);
  }

  async #systemPrompt(): Promise<SystemPrompt> {
    const { systemPrompt } = this.#options;
    return typeof systemPrompt === "string" ? { text: systemPrompt, warnings: [] } : await systemPrompt();
  }

  #emit(body: EventBody): void {
    this.#outlet.push(this.#transcript.add(this.#turnId, body));
  }

  #turn(answer: AnswerForm | undefined): Turn {
    const emit = (body: EventBody) => this.#emit(body);
    return {
      ...this.#ofTurn,
      compacts: this.#options.compactsOnDemand === true ? "on-demand" : "alone",
      model: () => this.#model,
      limits: this.#calls.limits,
      signal: (this.#interrupt ?? new AbortController()).signal,
      batchParts: this.#calls.partsOf(this.#turnId),
      tools: () => (answer?.withoutTools === true ? [] : this.#offered(this.#registry)),
      answer,
      freshCallId: (wanted) => this.#calls.freshCallId(wanted),
      hasSteering: () => this.#steering.length > 0,
      takeSteering: () => {
        this.#tellOfPlan();
        for (const message of this.#steering.splice(0)) {
          // After a new message, the person may want the same call to run again.
          this.#calls.forgetEarlier();
          for (const body of messageEvents(message)) emit(body);
        }
        for (const content of this.#options.notes?.() ?? []) {
          emit({ type: "user-message", content, from: "harness" });
        }
      },
    };
  }
}

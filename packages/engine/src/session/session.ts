/** A session: takes commands, runs turns one after another, and reports everything that happens as events. */
import {
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
import { HarnessError } from "../harness-error.ts";
import type { Model } from "../model.ts";
import type { ToolRegistry } from "../registry.ts";
import type { AnswerForm, Turn } from "../turn/turn.ts";
import type { TurnEnd } from "../turn/turn-end.ts";
import { createEventOutlet, type EventOutlet, type SessionListener } from "./event-outlet.ts";
import { createFoldedTranscript, type FoldedTranscript, transcriptOfTurn } from "./folded-transcript.ts";
import { createSessionCalls, type SessionCalls } from "./session-calls.ts";
import type { Session, SessionOptions, SystemPrompt } from "./session-options.ts";
import { closingEvents, highestTurn } from "./take-up.ts";

/** Returns a session. It starts with its first turn. */
export function createSession(options: SessionOptions): Session {
  return new RunningSession(options);
}

/** A message of the person, as its event has it. */
interface Said {
  readonly content: string;
  readonly images?: readonly ImageContent[];
}

class RunningSession implements Session {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #transcript: FoldedTranscript;
  readonly #calls: SessionCalls;
  readonly #outlet: EventOutlet;
  readonly #earlyNotices: EventBody[] = [];
  /** True when it goes on with an earlier session. */
  readonly #isResumed: boolean;
  #mode: PermissionMode;
  #model: Model;
  #registry: ToolRegistry;
  /** The tools of the next turn, when others were chosen while a turn runs. */
  #nextRegistry: ToolRegistry | undefined;
  #turns = 0;
  #turnId = "";
  #steering: Said[] = [];
  #interrupt: AbortController | undefined;
  #running: Promise<TurnEnd> | undefined;
  #started = false;
  #closed = false;

  constructor({ history = [], ...options }: SessionOptions) {
    // `options` is kept without the history: the view has all of it, and it may be large.
    this.#options = options;
    this.id = options.sessionId ?? freshId();
    const clock = options.clock ?? systemClock;
    this.#mode = options.mode ?? "default";
    this.#model = options.model;
    this.#registry = options.registry;
    this.#outlet = createEventOutlet({
      store: options.store,
      onFailure: (message) => this.#emit(warning("listener-failed", message)),
    });
    this.#isResumed = history.length > 0;
    this.#transcript = createFoldedTranscript(this.id, history);
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
    });
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

  send(command: Command): void {
    if (this.#closed) return;
    switch (command.type) {
      case "user-message":
        if (this.#running === undefined) {
          this.prompt(command.content, command.images).catch((error) => this.#reportBroken(error));
        } else this.#steering.push(said(command.content, command.images));
        return;
      case "permission-answer":
        this.#calls.answer(command.requestId, command);
        return;
      case "interrupt":
        this.#interrupt?.abort();
        return;
      case "set-mode":
        this.#mode = command.mode;
        if (this.#started) this.#emit({ type: "mode-changed", mode: command.mode });
    }
  }

  leaveUnanswered(): void {
    this.#calls.leaveUnanswered();
  }

  useModel(model: Model): void {
    this.#model = model;
    const { name, provider } = model;
    if (this.#started) this.#emit({ type: "model-changed", model: name, provider });
  }

  useTools(registry: ToolRegistry): void {
    this.#nextRegistry = registry;
    if (this.#running === undefined) this.#takeTools();
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

  prompt(content: string, images?: readonly ImageContent[], answer?: AnswerForm): Promise<TurnEnd> {
    if (this.#closed) {
      const message = "the session is closed: open another one";
      return Promise.reject(new HarnessError("session-closed", message));
    }
    if (this.#running !== undefined) {
      const message = "a turn is running: wait for its end, or send a user-message command to steer it";
      return Promise.reject(new HarnessError("session-busy", message));
    }
    this.#running = this.#runTurns(said(content, images), answer);
    return this.#running;
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
    this.#steering = [];
    this.#interrupt?.abort();
    await this.idle();
    this.#outlet.close();
  }

  /** Runs the turn, and one more for each message that came too late to steer the turn before. */
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
      // Nothing is awaited since the last look at the messages: one that comes now begins a new turn.
      this.#running = undefined;
      this.#interrupt = undefined;
    }
  }

  /** Reports a turn that could not even begin. One that began always ends with an event. */
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
      this.#emit({ type: "user-message", ...message, from: "person" });
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

  /** Reads what the session starts with. Resolves to a function that starts it. */
  async #prepareStart(): Promise<() => void> {
    const warnings = await this.#calls.loadPermissions();
    const prompt = this.#isResumed ? undefined : await this.#systemPrompt();
    return () => this.#start(prompt, warnings);
  }

  #start(prompt: SystemPrompt | undefined, warnings: readonly string[]): void {
    const { workspace } = this.#options;
    const { name, provider } = this.#model;
    const setting = { model: name, provider, workspace, mode: this.#mode, tools: this.#toolNames() };
    // Set only here: what could throw is above, and a mode set until here is in the event.
    this.#started = true;
    if (prompt === undefined) this.#emit({ type: "session-resumed", ...setting });
    else this.#emit({ type: "session-start", ...setting, systemPrompt: prompt.text });
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
      ...transcriptOfTurn(this.#transcript, emit),
      model: () => this.#model,
      limits: this.#calls.limits,
      signal: (this.#interrupt ?? new AbortController()).signal,
      batchParts: this.#calls.partsOf(this.#turnId),
      tools: () => (answer?.withoutTools === true ? [] : this.#registry.definitions()),
      answer,
      freshCallId: (wanted) => this.#calls.freshCallId(wanted),
      hasSteering: () => this.#steering.length > 0,
      takeSteering: () => {
        for (const message of this.#steering.splice(0)) {
          // A person who writes may well want the same thing done again.
          this.#calls.forgetEarlier();
          emit({ type: "user-message", ...message, from: "person" });
        }
        for (const content of this.#options.notes?.() ?? []) {
          emit({ type: "user-message", content, from: "harness" });
        }
      },
    };
  }
}

function said(content: string, images: readonly ImageContent[] = []): Said {
  return images.length === 0 ? { content } : { content, images };
}

function warning(code: string, message: string): EventBody {
  return { type: "notice", level: "warning", code, message };
}

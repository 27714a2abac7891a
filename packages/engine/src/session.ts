/** A session: takes commands, runs turns one after another, and tells everything that happens as events. */
import {
  applyEvent,
  type Command,
  type EventBody,
  emptyView,
  foldEvents,
  type ImageContent,
  type PermissionMode,
  type SessionEvent,
  type View,
} from "@localharness/protocol";
import { runTurn, type TurnEnd } from "./agent-loop.ts";
import { createHookDesk } from "./calls/consult-hooks.ts";
import { type Mask, safeMask } from "./calls/mask-text.ts";
import { type CallMeter, createCallMeter, defaultRateLimits } from "./calls/rate-limits.ts";
import { auditFailed, type CallRecorder, createCallRecorder } from "./calls/record-calls.ts";
import type { BatchParts } from "./calls/run-batch.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { createDelegate } from "./delegate.ts";
import { createEventOutlet, type EventOutlet } from "./event-outlet.ts";
import { freshId } from "./fresh-id.ts";
import { emptyRepeatMemory, type RepeatMemory } from "./guards/repeats.ts";
import { HarnessError } from "./harness-error.ts";
import type { TurnMark } from "./hooks.ts";
import { createLine } from "./line.ts";
import type { Model } from "./model.ts";
import { createOpenQuestions } from "./open-questions.ts";
import { createGrants, type Grants } from "./policy/grants.ts";
import type { ToolRegistry } from "./registry.ts";
import type {
  SessionListener as Listener,
  Session,
  SessionOptions,
  SystemPrompt,
} from "./session-options.ts";
import { closingEvents, highestTurn } from "./take-up.ts";
import { displayText } from "./tool-result.ts";
import type { Limits, Turn } from "./turn.ts";

const defaultLimits: Limits = { callsPerIteration: 15, iterationsPerTurn: 10, ...defaultRateLimits };

export function createSession(options: SessionOptions): Session {
  return new RunningSession(options);
}

class RunningSession implements Session {
  readonly id: string;
  readonly #options: SessionOptions;
  readonly #clock: Clock;
  readonly #grants: Grants;
  readonly #limits: Limits;
  readonly #mask: Mask;
  readonly #meter: CallMeter;
  readonly #recorder: CallRecorder;
  readonly #conversation: Conversation = createConversation();
  readonly #questions = createOpenQuestions();
  readonly #repeats: { current: RepeatMemory } = { current: emptyRepeatMemory };
  readonly #callIds = new Set<string>();
  readonly #earlyNotices: EventBody[] = [];
  readonly #outlet: EventOutlet;
  readonly #goesOn: boolean;
  #mode: PermissionMode;
  #model: Model;
  #registry: ToolRegistry;
  /** Tools that wait for the end of the turn. */
  #nextRegistry: ToolRegistry | undefined;
  #view: View = emptyView;
  #seq = 0;
  #turns = 0;
  #turnId = "";
  #steering: Said[] = [];
  #interrupt: AbortController | undefined;
  #running: Promise<TurnEnd> | undefined;
  #started = false;
  #closed = false;

  constructor({ history, ...options }: SessionOptions) {
    this.#options = options;
    this.id = options.sessionId ?? freshId();
    this.#clock = options.clock ?? systemClock;
    this.#grants = createGrants(options.policyStore, this.#clock, (program) =>
      this.#registry.riskOfProgram(program),
    );
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#meter = createCallMeter(this.#limits, this.#clock);
    this.#mask = safeMask(options.mask);
    const onFailure = (message: string) => this.#emit(warning("listener-failed", message));
    this.#outlet = createEventOutlet({ store: options.store, onFailure });
    this.#recorder = this.#recorderFor();
    this.#mode = options.mode ?? "default";
    this.#model = options.model;
    this.#registry = options.registry;
    // Not kept: the view holds all of it, and it may be large.
    this.#goesOn = history !== undefined && history.length > 0;
    if (history !== undefined) this.#takeUp(history);
  }

  #recorderFor(agent?: string): CallRecorder {
    return createCallRecorder({
      audit: this.#options.audit,
      clock: this.#clock,
      sessionId: this.id,
      mask: this.#mask,
      onFailure: (reason) => this.#emit(auditFailed(reason)),
      ...(agent === undefined ? {} : { agent }),
    });
  }

  #takeUp(history: readonly SessionEvent[]): void {
    this.#view = foldEvents(emptyView, history);
    this.#seq = this.#view.lastSeq;
    this.#turns = highestTurn(history);
    for (const message of this.#view.messages) this.#conversation.append(message);
    this.#turnId = this.#view.turn.id;
    for (const body of closingEvents(this.#view, this.#clock)) this.#emit(body);
    this.#turnId = "";
    for (const message of this.#view.messages)
      if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) this.#callIds.add(id);
  }

  subscribe(listener: Listener): () => void {
    return this.#outlet.subscribe(listener);
  }

  view(): View {
    return this.#view;
  }

  mode(): PermissionMode {
    return this.#mode;
  }

  send(command: Command): void {
    if (this.#closed) return;
    switch (command.type) {
      case "user-message":
        if (this.#running === undefined)
          this.prompt(command.content, command.images).catch((error) => this.#broke(error));
        else this.#steering.push(said(command.content, command.images));
        return;
      case "permission-answer":
        this.#questions.answer(command.requestId, command);
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
    this.#questions.abandon();
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
    const tools = this.#registry.list().map((tool) => tool.name);
    if (this.#started) this.#emit({ type: "tools-changed", tools });
  }

  prompt(content: string, images?: readonly ImageContent[]): Promise<TurnEnd> {
    if (this.#closed) {
      const message = "the session is closed: open another one";
      return Promise.reject(new HarnessError("session-closed", message));
    }
    if (this.#running !== undefined) {
      const message = "a turn is running: wait for its end, or send a user-message command to steer it";
      return Promise.reject(new HarnessError("session-busy", message));
    }
    this.#running = this.#runTurns(said(content, images));
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

  /** A message that came too late to steer a turn begins the next. */
  async #runTurns(first: Said): Promise<TurnEnd> {
    const fresh = () => {
      this.#interrupt = new AbortController();
    };
    fresh();
    try {
      let end = await this.#runOne(first);
      for (let next = this.#steering.shift(); next !== undefined; next = this.#steering.shift()) {
        if (this.#interrupt?.signal.aborted) fresh();
        end = await this.#runOne(next);
      }
      return end;
    } finally {
      // In the same step as the last look at what was typed: a message that comes now begins a turn of its own.
      this.#running = undefined;
      this.#interrupt = undefined;
    }
  }

  /** A turn ends in an event whatever happens; what could not even begin is told here. */
  #broke(error: unknown): void {
    const message = `the turn could not begin: ${error instanceof Error ? error.message : String(error)}`;
    this.#emit(warning("internal-error", message));
  }

  async #runOne(message: Said): Promise<TurnEnd> {
    const start = this.#started ? undefined : await this.#prepareStart();
    const news = await this.#news();
    this.#outlet.together(() => {
      this.#takeTools();
      start?.();
      this.#turns++;
      this.#turnId = `turn-${this.#turns}`;
      this.#repeats.current = emptyRepeatMemory;
      this.#meter.startTurn();
      this.#emit({ type: "turn-start" });
      for (const content of news) this.#emit({ type: "user-message", content, from: "harness" });
      this.#emit({ type: "user-message", ...message, from: "person" });
    });
    const end = await runTurn(this.#turn());
    await this.#recorder.handedOver();
    this.#emit(end);
    this.#turnId = "";
    return end;
  }

  async #news(): Promise<readonly string[]> {
    const { news } = this.#options;
    return news === undefined ? [] : await news().catch(() => []);
  }

  /** Reads what the session starts with; what it returns starts it. */
  async #prepareStart(): Promise<() => void> {
    const warnings = await this.#grants.load();
    const prompt = this.#goesOn ? undefined : await this.#systemPrompt();
    return () => this.#start(prompt, warnings);
  }

  #start(prompt: SystemPrompt | undefined, warnings: readonly string[]): void {
    const { workspace } = this.#options;
    const tools = this.#registry.list().map((tool) => tool.name);
    const { name, provider } = this.#model;
    // Only now: a mode set until here is the one that the session starts with.
    this.#started = true;
    const mode = this.#mode;
    const setting = { model: name, provider, workspace, mode, tools };
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
    const event: SessionEvent = { sessionId: this.id, turnId: this.#turnId, seq: this.#seq + 1, ...body };
    const view = applyEvent(this.#view, event);
    for (let index = this.#view.messages.length; index < view.messages.length; index++) {
      const message = view.messages[index];
      if (message !== undefined) this.#conversation.append(message);
    }
    this.#seq++;
    this.#view = view;
    this.#outlet.push(event);
  }

  #turn(): Turn {
    const emit = (body: EventBody) => this.#emit(body);
    return {
      model: () => this.#model,
      limits: this.#limits,
      signal: (this.#interrupt ?? new AbortController()).signal,
      batchParts: this.#batchParts(emit),
      emit,
      draft: () => this.#view.draft,
      messages: () => this.#conversation.modelMessages,
      tools: () => this.#registry.definitions(),
      openCalls: () => this.#conversation.openCalls,
      freshCallId: (wanted) => this.#freshCallId(wanted),
      hasSteering: () => this.#steering.length > 0,
      takeSteering: () => {
        for (const message of this.#steering.splice(0)) {
          // A person who speaks may well want the same thing done again.
          this.#repeats.current = emptyRepeatMemory;
          emit({ type: "user-message", ...message, from: "person" });
        }
      },
      tellModel: (content) => emit({ type: "user-message", content, from: "harness" }),
      notice: (level, code, message) => emit({ type: "notice", level, code, message }),
    };
  }

  #batchParts(emit: (body: EventBody) => void): BatchParts {
    const { workspace, interactive, trusted = true, sandbox, hooks } = this.#options;
    const turn: TurnMark = { sessionId: this.id, turnId: this.#turnId };
    const hooksFor = (recorder: CallRecorder) =>
      createHookDesk({ hooks, turn, recorder, mask: this.#mask, emit });
    const parts: BatchParts = {
      registry: this.#registry,
      sessionId: this.id,
      recorder: this.#recorder,
      meter: this.#meter,
      mask: this.#mask,
      hooks: hooksFor(this.#recorder),
      turn,
      trusted,
      ...(sandbox === undefined ? {} : { sandbox }),
      grants: this.#grants,
      clock: this.#clock,
      workspace,
      interactive,
      repeats: this.#repeats,
      mode: () => this.#mode,
      emit,
      deliver: ({ id, toolName, result, achieved }) => {
        const display = displayText(toolName, result);
        emit({
          type: "tool-result",
          callId: id,
          toolName,
          result,
          display,
          ...(achieved.length === 0 ? {} : { achieved }),
        });
      },
      answer: (requestId, signal) => this.#questions.wait(requestId, signal),
      oneByOne: createLine(),
    };
    const delegate = createDelegate({
      parts,
      limits: this.#limits,
      model: () => this.#model,
      freshCallId: (wanted) => this.#freshCallId(wanted),
      recorderFor: (agent) => this.#recorderFor(agent),
      hooksFor,
    });
    return { ...parts, delegate };
  }

  #freshCallId(wanted: string): string {
    let id = wanted;
    while (id === "" || this.#callIds.has(id)) id = `call_${freshId().slice(-11)}`;
    this.#callIds.add(id);
    return id;
  }
}

function warning(code: string, message: string): EventBody {
  return { type: "notice", level: "warning", code, message };
}

/** What the person said, as it stands in its event. */
interface Said {
  readonly content: string;
  readonly images?: readonly ImageContent[];
}

function said(content: string, images: readonly ImageContent[] = []): Said {
  return images.length === 0 ? { content } : { content, images };
}

/** Holds the parts that all tool calls of a session share: limits, permissions, audit log, questions, and earlier calls. */

import type { EventBody, ModelMessage, PermissionMode } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import type { AsideOf } from "../aside.ts";
import type { PersonsAnswer } from "../calls/ask-permission.ts";
import type { BatchParts } from "../calls/batch-parts.ts";
import { createHookDesk } from "../calls/consult-hooks.ts";
import { type Mask, safeMask } from "../calls/mask-text.ts";
import { createCallMeter } from "../calls/rate-limits.ts";
import { auditFailed, type CallRecorder, createCallRecorder } from "../calls/record-calls.ts";
import type { Clock } from "../clock.ts";
import { freshId } from "../fresh-id.ts";
import { type CallMemory, noCallsYet } from "../guards/duplicates.ts";
import type { TurnMark } from "../hooks.ts";
import type { Model } from "../model.ts";
import { createGrants, type Grants } from "../policy/grants.ts";
import type { PolicyRule } from "../policy/rule.ts";
import type { AskPerson } from "../questions/ask-person.ts";
import { createQuotedCalls, type QuotedCalls } from "../quoted/quoted-calls.ts";
import type { ToolRegistry } from "../registry.ts";
import { defaultLimits, type Limits } from "../turn/limits.ts";
import { createAsides } from "./ask-aside.ts";
import { createDelegate } from "./delegate.ts";
import { deliverTo, type FoldedTranscript } from "./folded-transcript.ts";
import { createMutex } from "./mutex.ts";
import { createOpenQuestions } from "./open-questions.ts";
import { hasWholeResult } from "./sent-messages.ts";
import type { SessionOptions } from "./session-options.ts";

export interface SessionCalls {
  readonly limits: Limits;
  /** Reads the rules of the policy store, with the remembered permissions. Resolves to warnings for the person. */
  loadPermissions(): Promise<readonly string[]>;
  /** Resets the counters of a turn. */
  startTurn(): void;
  /** Forgets the earlier calls, because the person may want the same call again. */
  forgetEarlier(): void;
  /** Returns `wanted`, or a new id if `wanted` is empty or was used before. */
  freshCallId(wanted: string): string;
  /** Returns the parts for the calls of one turn. */
  partsOf(turnId: string): BatchParts;
  /** Answers an open question. Does nothing if no question with that id is open. */
  answer(requestId: string, given: PersonsAnswer): void;
  /** Denies all open questions and all later ones, because nobody will answer them. */
  leaveUnanswered(): void;
  /** Returns the session's answers that cover more than one call, as rules. */
  answersOfSession(): readonly PolicyRule[];
  /** Removes an answer of this session from memory, not from the store. Returns false if no answer has this id. */
  takeBackAnswer(id: string): boolean;
  /** Resolves once every entry so far was given to the audit log. */
  recorded(): Promise<void>;
}

export interface SessionCallsParts {
  readonly id: string;
  readonly clock: Clock;
  readonly transcript: FoldedTranscript;
  mode(): PermissionMode;
  model(): Model;
  registry(): ToolRegistry;
  emit(body: EventBody): void;
  /** Asks the person a question of the model. */
  readonly askPerson: AskPerson;
}

export function createSessionCalls(options: SessionOptions, state: SessionCallsParts): SessionCalls {
  const { workspace, interactive, trusted = true, sandbox, freedoms, added, hooks } = options;
  const { id: sessionId, clock, transcript, emit } = state;
  const limits: Limits = { ...defaultLimits, ...options.limits };
  const mask = safeMask(options.mask);
  const grants = grantsOf(options, state);
  const meter = createCallMeter(limits, clock);
  const questions = createOpenQuestions();
  const memory = emptyMemory();
  const freshCallId = createCallIds(transcript.messages());
  const recorder = recorderFor(options, state, mask);
  const quoted = quotedIn(options, state, () => transcript.messages(), "your message");

  function partsOf(turnId: string): BatchParts {
    const turn: TurnMark = { sessionId, turnId };
    const hooksFor = (to: CallRecorder) => createHookDesk({ hooks, turn, recorder: to, mask, emit });
    const parts: BatchParts = {
      registry: state.registry(),
      sessionId,
      recorder,
      meter,
      mask,
      hooks: hooksFor(recorder),
      turn,
      trusted,
      ...defined({ sandbox, freedoms, added }),
      grants,
      clock,
      workspace,
      interactive,
      ...memory,
      isSentWhole: (callId) => hasWholeResult(transcript.sentMessages(), transcript.leftOut(), callId),
      quoted,
      mode: () => state.mode(),
      emit,
      deliver: deliverTo(emit),
      answer: (requestId, signal) => questions.wait(requestId, signal),
      questionLock: createMutex(),
      askPerson: state.askPerson,
    };
    const delegate = createDelegate({
      parts,
      limits,
      windowRules: { compactor: options.compactor, replyShare: options.replyShare },
      model: () => state.model(),
      freshCallId,
      recorderFor: (agent) => recorderFor(options, state, mask, agent),
      hooksFor,
      quotedIn: (messages) => quotedIn(options, state, messages, "the task of the agent"),
    });
    return { ...parts, delegate, aside: asidesOf(state, mask, limits) };
  }

  return {
    limits,
    loadPermissions: () => grants.load(),
    answersOfSession: () => grants.ofSession(),
    takeBackAnswer: (id) => grants.takeBack(id),
    startTurn: () => meter.startTurn(),
    forgetEarlier: () => forget(memory.earlierCalls),
    freshCallId,
    partsOf,
    answer: (requestId, given) => questions.answer(requestId, given),
    leaveUnanswered: () => questions.abandon(),
    recorded: () => recorder.handedOver(),
  };
}

/** Returns what the session remembers of calls: the latest ones, and the unknown names for which tools were listed. */
function emptyMemory(): {
  readonly earlierCalls: { current: CallMemory };
  readonly listedFor: Map<string, string>;
} {
  return { earlierCalls: { current: noCallsYet }, listedFor: new Map() };
}

function grantsOf({ policyStore }: SessionOptions, { clock, registry, emit }: SessionCallsParts): Grants {
  const tell = (message: string) => emit({ type: "notice", level: "warning", code: "policies", message });
  return createGrants(policyStore, clock, (program) => registry().riskOfProgram(program), tell);
}

function asidesOf(
  { transcript, model, registry, emit, clock }: SessionCallsParts,
  mask: Mask,
  { besideSeconds: maxSeconds }: Limits,
): AsideOf {
  const messages = () => transcript.messages();
  const window = () => transcript.view().usage.contextWindow;
  const lastRequest = () => ({
    messages: beforeOpenCalls(transcript.sentMessages()),
    tools: registry().definitions(),
  });
  return createAsides({ model, messages, lastRequest, emit, clock, window, mask, maxSeconds });
}

/** Returns the messages of the last request, which are all before the answer whose calls are running. */
function beforeOpenCalls(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const answer = messages.findLastIndex(({ role }) => role === "assistant");
  return answer === -1 ? messages : messages.slice(0, answer);
}

function forget(calls: { current: CallMemory }): void {
  calls.current = noCallsYet;
}

function recorderFor(
  { audit }: SessionOptions,
  { clock, id: sessionId, emit }: SessionCallsParts,
  mask: Mask,
  agent?: string,
): CallRecorder {
  const onFailure = (reason: string) => emit(auditFailed(reason));
  const ofAgent = agent === undefined ? {} : { agent };
  return createCallRecorder({ audit, clock, sessionId, mask, onFailure, ...ofAgent });
}

/** Returns an object that finds calls in the messages. `person` is the description of a message of the person. */
function quotedIn(
  { findCalls }: SessionOptions,
  { registry }: SessionCallsParts,
  messages: () => readonly ModelMessage[],
  person: string,
): QuotedCalls {
  return createQuotedCalls({ messages, registry, person, ...defined({ findCalls }) });
}

/** Returns a function that makes the ids of calls unique. The ids in `messages` count as used. */
function createCallIds(messages: readonly ModelMessage[]): (wanted: string) => string {
  const used = new Set<string>();
  for (const message of messages)
    if (message.role === "assistant") for (const { id } of message.toolCalls ?? []) used.add(id);
  return (wanted) => {
    let id = wanted;
    while (id === "" || used.has(id)) id = `call_${freshId().slice(-11)}`;
    used.add(id);
    return id;
  };
}

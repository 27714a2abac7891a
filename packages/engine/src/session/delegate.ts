/**
 * Runs the task of an agent within a tool call, in a separate transcript. The agent uses the session's permissions, questions,
 * rate limits and audit log. It gets some of the session's tools and never a laxer mode, and cannot start agents itself.
 */
import type { Achievement, EventBody, ModelMessage, PermissionMode } from "@localharness/protocol";
import { runTurn } from "../agent-loop.ts";
import type { BatchParts } from "../calls/batch-parts.ts";
import type { HookDesk } from "../calls/consult-hooks.ts";
import type { CallRecorder } from "../calls/record-calls.ts";
import type { Delegate, DelegatedEnd, DelegatedWork, DelegatingCall } from "../delegated-work.ts";
import { noCallsYet } from "../guards/duplicates.ts";
import type { Model } from "../model.ts";
import { planToolName } from "../plan/plan-tool.ts";
import type { QuotedCalls } from "../quoted/quoted-calls.ts";
import { createRegistry, type ToolRegistry } from "../registry.ts";
import type { Limits } from "../turn/limits.ts";
import type { WindowRules } from "../turn/prompt-window.ts";
import type { Turn } from "../turn/turn.ts";
import type { TurnEnd } from "../turn/turn-end.ts";
import { createAgentReporter } from "./agent-reports.ts";
import { createFoldedTranscript, deliverTo, transcriptOfTurn } from "./folded-transcript.ts";

/** The parts of a session that its agents use. */
export interface Delegator {
  readonly parts: BatchParts;
  readonly limits: Limits;
  readonly windowRules: WindowRules;
  model(): Model;
  freshCallId(wanted: string): string;
  /** Returns a recorder that writes the agent's name to the audit log. */
  recorderFor(agent: string): CallRecorder;
  /** Returns the session's hooks. Their runs are recorded by `recorder`. */
  hooksFor(recorder: CallRecorder): HookDesk;
  /** Returns an object that finds calls which the model may have copied from these messages. */
  quotedIn(messages: () => readonly ModelMessage[]): QuotedCalls;
}

/** Returns a function that runs the task of an agent to its end. */
export function createDelegate(from: Delegator): Delegate {
  return async (work, call) => {
    const transcript = createAgentTranscript(work, call, from);
    const registry = lentTools(from.parts.registry, work, call.toolName);
    const recorder = from.recorderFor(work.agent);
    // The hooks for the end of a turn run only at the end of the person's turn.
    const hooks: HookDesk = { ...from.hooksFor(recorder), atEnd: () => Promise.resolve(undefined) };
    const { model, parts, freshCallId } = from;
    const mode = () => stricter(parts.mode(), work.mode);
    const { emit } = transcript.ofTurn;
    begin(work, work.model ?? model(), parts.workspace, mode(), registry, emit);
    const quoted = from.quotedIn(transcript.messages);
    const turn: Turn = {
      ...transcript.ofTurn,
      compacts: "alone",
      model: () => work.model ?? model(),
      limits: { ...from.limits, iterationsPerTurn: work.maxIterations ?? from.limits.iterationsPerTurn },
      signal: call.signal,
      batchParts: {
        ...lentParts(parts, { registry, recorder, hooks, quoted, mode, emit }),
        ...asAgent(work.agent, parts),
      },
      tools: () => registry.definitions(),
      freshCallId,
      hasSteering: () => false,
      takeSteering: () => undefined,
    };
    const end = await runTurn(turn);
    await recorder.handedOver();
    return transcript.endOfWork(end);
  };
}

function begin(
  { systemPrompt, task }: DelegatedWork,
  { name: model, provider }: Model,
  workspace: string,
  mode: PermissionMode,
  registry: ToolRegistry,
  emit: (body: EventBody) => void,
): void {
  const tools = registry.list().map((tool) => tool.name);
  emit({ type: "session-start", model, provider, workspace, mode, tools, systemPrompt });
  emit({ type: "turn-start" });
  emit({ type: "user-message", content: task, from: "person" });
}

const strictness: readonly PermissionMode[] = ["plan", "default", "accept-edits", "auto", "bypass"];

function stricter(one: PermissionMode, other: PermissionMode | undefined): PermissionMode {
  if (other === undefined) return one;
  return strictness.indexOf(other) < strictness.indexOf(one) ? other : one;
}

/** Returns the tools of the agent, without the tool that starts agents and the tool that presents a plan. */
function lentTools(registry: ToolRegistry, { tools }: DelegatedWork, toolName: string): ToolRegistry {
  const lent = registry.list().filter((tool) => {
    if (tool.name === toolName || tool.name === planToolName) return false;
    return tools === undefined ? tool.readOnly : tools.includes(tool.name);
  });
  return createRegistry(lent);
}

type AgentParts = Pick<BatchParts, "registry" | "recorder" | "hooks" | "quoted" | "mode" | "emit">;

function lentParts(
  { delegate: _ofSession, isSentWhole: _inSession, listedFor: _listed, aside: _aside, ...parts }: BatchParts,
  ofAgent: AgentParts,
): BatchParts {
  return {
    ...parts,
    ...ofAgent,
    earlierCalls: { current: noCallsYet },
    deliver: deliverTo(ofAgent.emit),
  };
}

/** Returns the function that asks the person, with the agent's name in the question. */
function asAgent(agent: string, { askPerson }: BatchParts): Pick<BatchParts, "askPerson"> {
  if (askPerson === undefined) return {};
  return { askPerson: (question, signal) => askPerson({ ...question, agent }, signal) };
}

/** Returns the agent's transcript, which reports events to the session and counts iterations and calls. */
function createAgentTranscript(
  { agent }: DelegatedWork,
  call: DelegatingCall,
  { parts, windowRules }: Delegator,
) {
  const transcript = createFoldedTranscript(parts.sessionId);
  const counts = { iterations: 0, toolCalls: 0 };
  const achieved: Achievement[] = [];
  const report = createAgentReporter({
    agent,
    call,
    emit: parts.emit,
    mask: parts.mask,
    monotonic: () => parts.clock.monotonic(),
  });
  const emit = (event: EventBody): void => {
    transcript.add(agent, event);
    if (event.type === "iteration-start") counts.iterations += 1;
    if (event.type === "tool-result") {
      counts.toolCalls += 1;
      achieved.push(...(event.achieved ?? []));
    }
    report(event, transcript.view().session?.model ?? "");
  };
  return {
    ofTurn: transcriptOfTurn(transcript, emit, windowRules),
    messages: () => transcript.messages(),
    endOfWork(end: TurnEnd): DelegatedEnd {
      const { messages, usage } = transcript.view();
      const last = messages.findLast((message) => message.role === "assistant");
      const { inputTokens, outputTokens } = usage;
      return { end, answer: last?.content ?? "", ...counts, inputTokens, outputTokens, achieved };
    },
  };
}

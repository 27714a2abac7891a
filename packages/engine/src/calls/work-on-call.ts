/** Works on a call: judges it, asks the person about it, or runs it, and then tells the executor. */
import { defined, reasonOf } from "@localharness/protocol";
import type { ExecutorInput } from "../executor/state.ts";
import { planToolName } from "../plan/plan-tool.ts";
import { refusal, toResult } from "../tool-result.ts";
import { askPermission, type Permission } from "./ask-permission.ts";
import { type BatchInWork, endForLoop, refuse, settle } from "./batch-in-work.ts";
import {
  advance,
  type CallIn,
  type CallInWork,
  callIn,
  callOf,
  countWaiting,
  toolNameOf,
  verdictOf,
} from "./call-in-work.ts";
import { executeCall } from "./execute-call.ts";
import { type Judgement, judgeCall } from "./judge-call.ts";
import { quotedConcernId, type ReadyCall } from "./prepare-call.ts";
import type { ToolRun } from "./run-tool.ts";
import {
  defectText,
  keepsChangingText,
  nobodyToAskText,
  personDenialText,
  planRefusedText,
  planUnapprovedText,
  quotedDenialText,
  ruleDenialText,
  type Told,
} from "./texts.ts";

/** Does the work and then tells the executor. An error in the harness becomes the result of the call. */
function workOn(batch: BatchInWork, id: string, work: () => Promise<void>, then: () => ExecutorInput): void {
  void work()
    .catch((error: unknown) => {
      refuse(batch, id, refusal("internal_error", defectText(reasonOf(error)), batch.parts.clock));
    })
    .then(() => batch.inputs.put(then()));
}

/** Judges the call: by the policy if it can run, or else by what is known of it. */
export function judge(batch: BatchInWork, id: string): void {
  const work = async () => judged(batch, id, await judgementOf(batch, callOf(batch.calls, id)));
  workOn(batch, id, work, () => ({ type: "evaluated", id, verdict: verdictOf(callOf(batch.calls, id)) }));
}

async function judgementOf({ parts, signal }: BatchInWork, one: CallInWork): Promise<Judgement> {
  if (one.state === "prepared") return await judgeCall(one.call, parts, signal);
  const { id, arguments: args } = one.raw;
  if (one.state === "invalid") {
    parts.recorder.skipped(id, toolNameOf(one), args, "built-in:invalid");
    return { verdict: "refuse", result: one.call.result };
  }
  if (one.state !== "repeats" && one.state !== "ended") throw new Error(`the call ${id} is judged twice`);
  // This call gets the result of the call that it repeats, or has it if that call ran in an earlier group.
  parts.recorder.skipped(id, toolNameOf(one), args, "built-in:repeated");
  return { verdict: "refuse" };
}

function judged(batch: BatchInWork, id: string, judgement: Judgement): void {
  if (judgement.verdict !== "refuse") {
    const { verdict, decided } = judgement;
    const { raw } = callOf(batch.calls, id);
    advance(batch.calls, { state: verdict === "allow" ? "allowed" : "asked", raw, ...decided });
    return;
  }
  if (judgement.result !== undefined) refuse(batch, id, judgement.result, judgement.why);
  if (judgement.endsIteration === true) endForLoop(batch);
}

/** Asks the person about the call. */
export function ask(batch: BatchInWork, id: string): void {
  const { parts, signal, calls } = batch;
  const work = async () => {
    const one = callIn(calls, id, "asked");
    const { call, question } = one;
    const waiting = batch.callsAfter + countWaiting(calls, id);
    const format = parts.turn === undefined ? {} : { format: call.format ?? "native" };
    const put = () => askPermission({ call, question, waiting, ...format }, parts, signal);
    batch.asking = parts.questionLock?.(put) ?? put();
    await answered(batch, one, await batch.asking);
  };
  const isAllowed = () => verdictOf(callOf(calls, id)) === "allow";
  workOn(batch, id, work, () => ({ type: "answered", id, allowed: isAllowed() }));
}

async function answered(batch: BatchInWork, one: CallIn<"asked">, permission: Permission): Promise<void> {
  if (!permission.allowed) {
    denied(batch, one.call, permission);
    return;
  }
  const { question, answer, wider, approval, offer } = permission;
  advance(batch.calls, { ...one, state: "allowed", question, ...defined({ approval, offer }) });
  // A question with offers is about this one call, as it says, whatever a client answers.
  const covers = question.facts.offers === undefined ? answer : undefined;
  const message = covers === undefined ? undefined : await batch.parts.grants.record(question, covers, wider);
  if (message === undefined) return;
  batch.parts.emit({ type: "notice", level: "warning", code: "not-remembered", message });
}

function denied(batch: BatchInWork, call: ReadyCall, permission: NotAllowed): void {
  const { clock } = batch.parts;
  if (permission.by === "foresight") {
    const { output } = permission;
    refuse(batch, call.id, toResult(output, clock, 0), output.ok ? undefined : output.why);
  } else if (isUnapprovedPlan(call, permission)) {
    // The turn will end with this plan.
    const { plan } = call.arguments;
    batch.unapproved = typeof plan === "string" ? plan : "";
    settle(batch, call.id, toResult({ ok: true, data: planUnapprovedText }, clock, 0));
  } else if (permission.by !== "interrupt") {
    const { message, why } = denialText(permission, call);
    refuse(batch, call.id, refusal("permission_denied", message, clock), why);
  }
}

/** Runs the allowed call. */
export function run(batch: BatchInWork, id: string): void {
  const { parts, signal, calls } = batch;
  const work = async () => {
    const allowed = callIn(calls, id, "allowed");
    const { raw, call } = allowed;
    advance(calls, { state: "running", raw, call });
    const execute = () => executeCall(allowed, parts, delegateFor(batch, call), signal);
    const done = await (parts.runLock?.(call.tool.readOnly, signal, execute) ?? execute());
    if (done?.kind === "refused") refuse(batch, id, done.result);
    if (done?.kind !== "ran") return;
    if (done.denied === true) batch.denied += 1;
    settle(batch, id, done.result, done);
    if (done.endsIteration) endForLoop(batch);
  };
  workOn(batch, id, work, () => ({ type: "finished", id }));
}

/** Returns the function that gives a task to an agent for this call. Calls denied to the agent count as denied in the turn. */
function delegateFor(
  batch: BatchInWork,
  { id: callId, tool: { name: toolName } }: ReadyCall,
): ToolRun["delegate"] {
  const { delegate } = batch.parts;
  if (delegate === undefined) return undefined;
  return async (work, signal) => {
    const done = await delegate(work, { callId, toolName, signal });
    batch.denied += done.end.denied;
    return done;
  };
}

type NotAllowed = Extract<Permission, { allowed: false }>;
type Denial = Extract<NotAllowed, { decision: unknown }>;

/** Returns true for a plan that nobody answered, unless the model may only be quoting it or another rule asked. */
function isUnapprovedPlan({ tool }: ReadyCall, { by, decision }: Denial): boolean {
  return by === "nobody" && tool.name === planToolName && decision.rule === "built-in:plan";
}

function denialText({ by, decision, note }: Denial, { tool }: ReadyCall): Told {
  if (by === "rule") return ruleDenialText(decision);
  if (by === "change") return keepsChangingText;
  if (by === "person") return tool.name === planToolName ? planRefusedText(note) : personDenialText(note);
  const isQuoted = decision.rule === `built-in:${quotedConcernId}`;
  return isQuoted ? quotedDenialText(decision.reason) : nobodyToAskText(decision);
}

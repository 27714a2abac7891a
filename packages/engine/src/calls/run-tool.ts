/** Runs a tool with a time limit. The run always ends with a result, even if the tool throws or does not stop. */
import {
  type Achievement,
  callWords,
  defined,
  type ImageContent,
  isJsonObject,
  type JsonObject,
  type PermissionMode,
  type PlanApproval,
  reasonOf,
  type ToolResult,
} from "@localharness/protocol";
import type { Aside, AsideOf } from "../aside.ts";
import type { Clock } from "../clock.ts";
import type { DelegatedEnd, DelegatedWork } from "../delegated-work.ts";
import type { TurnMark } from "../hooks.ts";
import type { CallFacts } from "../policy/facts.ts";
import type { PathFilter } from "../policy/path-filter.ts";
import type { AskForTool } from "../question-elsewhere.ts";
import type { AskPerson } from "../questions/ask-person.ts";
import { failed, type Tool, type ToolOutput } from "../tool.ts";
import { refusal, toResult } from "../tool-result.ts";
import { createStopClock } from "./stop-clock.ts";
import { interruptedText, noOutputReason, type Stop, stoppedText, toolFailedText } from "./texts.ts";

const defaultTimeoutMs = 120_000;
/** The time limit in milliseconds for the output of a tool after it was told to stop. */
const defaultGraceMs = 2_000;

export interface ToolRun {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly callId: string;
  /** The notes that come first in the result. */
  readonly notes: readonly string[];
  /** Aborts when the call must stop, such as on an interrupt. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The tool's facts about the call, on which the decision was based. */
  readonly examined?: CallFacts;
  /** The mode in which the call was decided. */
  readonly mode?: PermissionMode;
  readonly filter?: PathFilter;
  readonly turn?: TurnMark;
  readonly approval?: PlanApproval;
  readonly offer?: string;
  delegate?(work: DelegatedWork, signal: AbortSignal): Promise<DelegatedEnd>;
  readonly aside?: AsideOf;
  readonly ask?: AskForTool;
  readonly askPerson?: AskPerson;
  readonly interactive?: boolean;
  /** Shows the person the progress. Not called after the run has its result. */
  report(text: string): void;
}

export interface Ran {
  readonly result: ToolResult;
  /** The reason of a failure in words for the person; absent if the result's message is for both. */
  readonly why?: string;
  readonly achieved: readonly Achievement[];
  /** The change that the tool made, as a unified diff; absent if the tool does not report it. */
  readonly diff?: string;
  readonly images?: readonly ImageContent[];
  /** True if another machine denied the call. */
  readonly denied?: true;
}

/** The end of a run. `output` is undefined if the tool did not return; `stop` is set if the tool was told to stop. */
interface Raced {
  readonly output: ToolOutput | undefined;
  readonly stop: Stop | undefined;
}

/** Resolves to the result of the run. Never rejects. */
export async function runTool(run: ToolRun): Promise<Ran> {
  if (run.signal.aborted) {
    const { message, ...reason } = interruptedText;
    return { result: refusal("cancelled", message, run.clock), achieved: [], ...reason };
  }
  const started = run.clock.monotonic();
  const timeoutMs = timeoutOf(run.tool, run.arguments);
  const final = outputOf(await race(run, timeoutMs), timeoutMs, graceOf(run.tool));
  const elapsed = run.clock.monotonic() - started;
  return {
    result: toResult(final, run.clock, elapsed, run.notes),
    achieved: final.ok ? (final.achieved ?? []) : [],
    ...defined({
      diff: diffOf(final),
      ...(final.ok ? { images: final.images } : { denied: final.denied, why: final.why }),
    }),
  };
}

/** Returns the text `diff` of the output's details; undefined when there is none. */
function diffOf(output: ToolOutput): string | undefined {
  const details = output.ok ? output.details : undefined;
  const diff = isJsonObject(details) ? details["diff"] : undefined;
  return typeof diff === "string" && diff !== "" ? diff : undefined;
}

/** What a run gives the tool. */
interface Given {
  readonly signal: AbortSignal;
  report(text: string): void;
  /** Resolves to what `wait` does. The tool's time stands still meanwhile. */
  apart<T>(wait: () => Promise<T>): Promise<T>;
}

/** Runs the tool until it returns. Tells it to stop after the time limit or an interrupt, and then waits a limited time. */
async function race(run: ToolRun, timeoutMs: number): Promise<Raced> {
  const controller = new AbortController();
  const gaveUp = Promise.withResolvers<undefined>();
  const clock = createStopClock(() => run.clock.monotonic());
  let stop: Stop | undefined;
  let over = false;
  let grace: ReturnType<typeof setTimeout> | undefined;
  const endLimit = clock.begin(timeoutMs, () => halt("timeout"));
  function halt(why: Stop): void {
    if (stop !== undefined) return;
    stop = why;
    endLimit();
    grace = setTimeout(gaveUp.resolve, graceOf(run.tool), undefined);
    controller.abort();
  }
  const interrupt = () => halt("cancelled");
  run.signal.addEventListener("abort", interrupt, { once: true });
  const report = (text: string) => {
    if (!over) run.report(text);
  };
  const given = { signal: controller.signal, report, apart: clock.apart };
  const output = await Promise.race([execute(run, given), gaveUp.promise]);
  over = true;
  endLimit();
  clearTimeout(grace);
  run.signal.removeEventListener("abort", interrupt);
  return { output, stop };
}

async function execute(run: ToolRun, { signal, report, apart }: Given): Promise<ToolOutput> {
  try {
    const { callId, examined, mode, filter, turn, approval, delegate } = run;
    const { aside, ask, offer, askPerson, interactive } = run;
    const output: unknown = await run.tool.execute(run.arguments, {
      callId,
      signal,
      report,
      ...(turn === undefined ? {} : { turn: { ...turn, words: callWords(run.tool.name, run.arguments) } }),
      ...defined({ examined, mode, approval, offer, askPerson, interactive }),
      ...filter,
      ...(aside === undefined ? {} : { aside: timed(aside({ callId, signal }), apart) }),
      ...(ask === undefined ? {} : { ask: (question, stop) => apart(() => ask(question, stop)) }),
      ...(delegate === undefined ? {} : { delegate: (work) => delegate(work, signal) }),
    });
    return isOutput(output) ? output : unexpected(run, noOutputReason);
  } catch (error) {
    return unexpected(run, reasonOf(error));
  }
}

/** Returns the access to the model with which the tool's time stands still while the model answers. */
function timed(aside: Aside, apart: Given["apart"]): Aside {
  return { ...aside, ask: (question) => apart(() => aside.ask(question)) };
}

function unexpected(run: ToolRun, reason: string): ToolOutput {
  return failed("internal_error", toolFailedText(run.tool.name, reason));
}

/** Returns true for a valid output. The check is needed because tools may be written without types. */
function isOutput(output: unknown): output is ToolOutput {
  if (typeof output !== "object" || output === null || !("ok" in output)) return false;
  return output.ok === true
    ? "data" in output && typeof output.data === "string"
    : "message" in output && typeof output.message === "string";
}

function graceOf(tool: Tool): number {
  return tool.graceMs ?? defaultGraceMs;
}

/** Returns the tool's time limit; the default if the tool's function throws or returns no valid number. */
function timeoutOf(tool: Tool, args: JsonObject): number {
  let asked = defaultTimeoutMs;
  try {
    asked = (typeof tool.timeoutMs === "function" ? tool.timeoutMs(args) : tool.timeoutMs) ?? asked;
  } catch {
    asked = defaultTimeoutMs;
  }
  return Number.isNaN(asked) ? defaultTimeoutMs : Math.max(asked, 1);
}

/**
 * Returns the output of the run. A tool that was told to stop but succeeded keeps its success; if it failed or did not
 * return, the output is a failure that says why it was told to stop.
 */
function outputOf({ output, stop }: Raced, timeoutMs: number, graceMs: number): ToolOutput {
  if (output !== undefined && (stop === undefined || output.ok)) return output;
  const message = stoppedText(stop, timeoutMs, output === undefined ? { graceMs } : undefined);
  return failed(stop ?? "internal_error", message, output?.data);
}

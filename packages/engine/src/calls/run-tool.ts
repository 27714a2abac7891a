/** Runs one tool: with its time limit, with a way out when it does not stop, and never with an exception. */
import type { Achievement, JsonObject, ToolResult } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { DelegatedEnd, DelegatedWork } from "../delegate.ts";
import type { TurnMark } from "../hooks.ts";
import type { CallFacts } from "../policy/facts.ts";
import type { PathFilter } from "../policy/path-filter.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import { refusal, toResult } from "../tool-result.ts";

const defaultTimeoutMs = 120_000;
/** The most that a timer can wait; beyond it fires at once. */
const longestTimerMs = 2 ** 31 - 1;
/** How long an aborted tool has to come back with what it got. */
const usualGraceMs = 2_000;

export interface ToolRun {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly callId: string;
  readonly notes: readonly string[];
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** What was found out about the call, and decided on. */
  readonly examined?: CallFacts;
  readonly denies?: PathFilter;
  readonly turn?: TurnMark;
  delegate?(work: DelegatedWork, signal: AbortSignal): Promise<DelegatedEnd>;
  /** Not called any more once the run has its result. */
  report(text: string): void;
}

export interface Ran {
  readonly result: ToolResult;
  readonly achieved: readonly Achievement[];
}

type Stop = "timeout" | "cancelled";

/** What came of a run: no `output` when the tool did not come back, `stop` when it was told to. */
interface Raced {
  readonly output: ToolOutput | undefined;
  readonly stop: Stop | undefined;
}

export async function runTool(run: ToolRun): Promise<Ran> {
  if (run.signal.aborted) {
    return { result: refusal("cancelled", "not run: the person interrupted", run.clock), achieved: [] };
  }
  const started = run.clock.monotonic();
  const timeoutMs = timeoutOf(run.tool, run.arguments);
  const final = amountsTo(await race(run, timeoutMs), timeoutMs, graceOf(run.tool));
  const elapsed = run.clock.monotonic() - started;
  return {
    result: toResult(final, run.clock, elapsed, run.notes),
    achieved: final.ok ? (final.achieved ?? []) : [],
  };
}

/** The tool against its time limit and the person's interrupt; a tool that is told to stop has a grace to do so. */
async function race(run: ToolRun, timeoutMs: number): Promise<Raced> {
  const controller = new AbortController();
  const gaveUp = Promise.withResolvers<undefined>();
  let stop: Stop | undefined;
  let over = false;
  let timer = setTimeout(() => halt("timeout"), timeoutMs);
  function halt(why: Stop): void {
    if (stop !== undefined) return;
    stop = why;
    clearTimeout(timer);
    timer = setTimeout(gaveUp.resolve, graceOf(run.tool), undefined);
    controller.abort();
  }
  const interrupt = () => halt("cancelled");
  run.signal.addEventListener("abort", interrupt, { once: true });
  const report = (text: string) => {
    if (!over) run.report(text);
  };
  const output = await Promise.race([execute(run, controller.signal, report), gaveUp.promise]);
  over = true;
  clearTimeout(timer);
  run.signal.removeEventListener("abort", interrupt);
  return { output, stop };
}

async function execute(
  run: ToolRun,
  signal: AbortSignal,
  report: (text: string) => void,
): Promise<ToolOutput> {
  try {
    const { callId, examined, denies, turn, delegate } = run;
    const output: unknown = await run.tool.execute(run.arguments, {
      callId,
      signal,
      report,
      ...(examined === undefined ? {} : { examined }),
      ...(denies === undefined ? {} : { denies }),
      ...(turn === undefined ? {} : { turn }),
      ...(delegate === undefined ? {} : { delegate: (work) => delegate(work, signal) }),
    });
    return isOutput(output) ? output : unexpected(run, "it returned no output of the agreed shape");
  } catch (error) {
    return unexpected(run, error instanceof Error ? error.message : String(error));
  }
}

function unexpected(run: ToolRun, reason: string): ToolOutput {
  return {
    ok: false,
    errorType: "internal_error",
    message: `${run.tool.name} failed unexpectedly: ${reason}`,
  };
}

/** Tools are written by many hands, not all of them typed. */
function isOutput(output: unknown): output is ToolOutput {
  if (typeof output !== "object" || output === null || !("ok" in output)) return false;
  return output.ok === true
    ? "data" in output && typeof output.data === "string"
    : "message" in output && typeof output.message === "string";
}

function graceOf(tool: Tool): number {
  return tool.graceMs ?? usualGraceMs;
}

/** A tool whose own idea of its limit fails, or is no number, has the usual one. */
function timeoutOf(tool: Tool, args: JsonObject): number {
  let asked = defaultTimeoutMs;
  try {
    asked = (typeof tool.timeoutMs === "function" ? tool.timeoutMs(args) : tool.timeoutMs) ?? asked;
  } catch {
    asked = defaultTimeoutMs;
  }
  return Number.isNaN(asked) ? defaultTimeoutMs : Math.min(Math.max(asked, 1), longestTimerMs);
}

/** A tool that finished although it was told to stop keeps its success: what it did is done. */
function amountsTo({ output, stop }: Raced, timeoutMs: number, graceMs: number): ToolOutput {
  if (output !== undefined && (stop === undefined || output.ok)) return output;
  const why =
    stop === "timeout" ? `after its time limit of ${timeoutMs / 1000} s` : "because the person interrupted";
  const advice = stop === "timeout" ? "; ask for more time or do less at once" : "";
  const message =
    output === undefined
      ? `told to stop ${why}, but did not within ${graceMs / 1000} s: it may still be at work${advice}`
      : `stopped ${why}${advice}`;
  return {
    ok: false,
    errorType: stop ?? "internal_error",
    message,
    ...(output?.data === undefined ? {} : { data: output.data }),
  };
}

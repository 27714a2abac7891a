/** Runs one tool: with its time limit, with a way out when it does not stop, and never with an exception. */
import type { Achievement, JsonObject, ToolResult } from "@localharness/protocol";
import type { Clock } from "../clock.ts";
import type { Tool, ToolOutput } from "../tool.ts";
import { toResult } from "../tool-result.ts";

const defaultTimeoutMs = 120_000;
/** The most that a timer can wait; beyond it fires at once. */
const longestTimerMs = 2 ** 31 - 1;
/** How long an aborted tool has to come back with what it got. */
const graceMs = 2_000;

export interface ToolRun {
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly callId: string;
  readonly notes: readonly string[];
  /** Aborted when the person interrupts. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  report(text: string): void;
}

export interface Ran {
  readonly result: ToolResult;
  readonly achieved: readonly Achievement[];
}

type Stop = { readonly why: "timeout" | "cancelled" };

export async function runTool(run: ToolRun): Promise<Ran> {
  const started = run.clock.monotonic();
  const timeoutMs = timeoutOf(run.tool, run.arguments);
  const controller = new AbortController();
  let stop: Stop | undefined;
  let grace: ReturnType<typeof setTimeout> | undefined;
  const output = await new Promise<ToolOutput>((resolve) => {
    const halt = (why: Stop["why"]) => {
      if (stop !== undefined) return;
      stop = { why };
      controller.abort();
      grace = setTimeout(() => resolve(didNotStop()), graceMs);
    };
    const timer = setTimeout(() => halt("timeout"), timeoutMs);
    const interrupt = () => halt("cancelled");
    if (run.signal.aborted) interrupt();
    run.signal.addEventListener("abort", interrupt, { once: true });
    void execute(run, controller.signal)
      .then(resolve)
      .finally(() => {
        clearTimeout(timer);
        run.signal.removeEventListener("abort", interrupt);
      });
  });
  clearTimeout(grace);
  const elapsed = run.clock.monotonic() - started;
  const final = stop === undefined ? output : stopped(output, stop, timeoutMs);
  return {
    result: toResult(final, run.clock, elapsed, run.notes),
    achieved: final.ok ? (final.achieved ?? []) : [],
  };
}

async function execute(run: ToolRun, signal: AbortSignal): Promise<ToolOutput> {
  try {
    return await run.tool.execute(run.arguments, { callId: run.callId, signal, report: run.report });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      errorType: "internal_error",
      message: `${run.tool.name} failed unexpectedly: ${reason}`,
    };
  }
}

function timeoutOf(tool: Tool, args: JsonObject): number {
  const asked =
    typeof tool.timeoutMs === "function" ? tool.timeoutMs(args) : (tool.timeoutMs ?? defaultTimeoutMs);
  return Math.min(Math.max(asked, 1), longestTimerMs);
}

function didNotStop(): ToolOutput {
  return { ok: false, errorType: "internal_error", message: "the tool did not stop when it was told to" };
}

/** What a run that was halted amounts to. A tool that finished all the same keeps its success. */
function stopped(output: ToolOutput, stop: Stop, timeoutMs: number): ToolOutput {
  if (output.ok) return output;
  const message =
    stop.why === "timeout"
      ? `stopped after its time limit of ${timeoutMs / 1000} s; ask for more time or do less at once`
      : "stopped because the person interrupted";
  const { data } = output;
  return { ok: false, errorType: stop.why, message, ...(data === undefined ? {} : { data }) };
}

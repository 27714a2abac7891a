/** Runs one row with its driver (one of the `drive-*.ts` files) and judges the observation. Never rejects. */
import { setTimeout as sleep } from "node:timers/promises";
import { judge, unknownChecks } from "./checks/index.ts";
import { driveAnswers } from "./drive-answers.ts";
import { type DriveOptions, driveCall } from "./drive-call.ts";
import { driveLend, lentFamilies } from "./drive-lend.ts";
import { driveMcp } from "./drive-mcp.ts";
import { driveMcpServer } from "./drive-mcp-server.ts";
import { driveNetwork } from "./drive-network.ts";
import { drivePage } from "./drive-page.ts";
import { driveRepeat } from "./drive-repeat.ts";
import { driveScript, driveStart } from "./drive-script.ts";
import { driveKeptChat, driveKilledAppends, driveResume, driveResumeTwice } from "./drive-sessions.ts";
import { driveSignals } from "./drive-signals.ts";
import {
  driveEvents,
  driveKilledWriter,
  driveRefusedKey,
  driveRememberers,
  driveTracedAnswer,
} from "./drive-storage.ts";
import { driveTerminal } from "./drive-terminal.ts";
import { driveWire } from "./drive-wire.ts";
import { measured } from "./measured.ts";
import type { Observation } from "./observation.ts";
import { type Row, unknownParts, unknownValues } from "./row.ts";
import { RowError } from "./row-error.ts";

export interface CaseResult {
  readonly row: Row;
  readonly problems: readonly string[];
  /**
   * The reasons why the runner cannot judge the row: parts and checks that it does not know (then the row is not run), or
   * the message of a `RowError` from its run.
   */
  readonly errors: readonly string[];
  /** The number of questions to the person. */
  readonly asks: number;
  readonly decided: Observation["decided"];
  /** The reason why there was nothing to judge. The case then counts as skipped. */
  readonly notRun: string | undefined;
  readonly ms: number;
}

type Drive = <Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
) => Promise<Result>;

export async function runCase(row: Row, options: DriveOptions): Promise<CaseResult> {
  const from = performance.now();
  const errors = errorsOf(row);
  if (errors.length > 0) return unjudged(row, errors);
  try {
    const judged = driveFor(row)(row, options, async (seen) => ({
      errors,
      problems: await judge(row, await measured(row, seen, options)),
      asks: seen.asked.length,
      decided: seen.decided,
      notRun: seen.notRun,
    }));
    // Every wait has its own limit. The limit of the case applies if a limit of a wait fails.
    const judgedInTime = await withinMs(judged, options.limitMs * 20);
    return { row, ...judgedInTime, ms: performance.now() - from };
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    if (error instanceof RowError) return unjudged(row, [error.message]);
    return {
      row,
      errors,
      problems: [`it could not be run: ${message}`],
      asks: 0,
      decided: undefined,
      notRun: undefined,
      ms: performance.now() - from,
    };
  }
}

function unjudged(row: Row, errors: readonly string[]): CaseResult {
  return { row, errors, problems: [], asks: 0, decided: undefined, notRun: undefined, ms: 0 };
}

/** Returns an error for each part and check of the row that no driver knows, and for an unknown mode. */
export function errorsOf(row: Row): string[] {
  return [
    ...unknownParts(row).map((name) => `unknown part ${name}`),
    ...unknownValues(row),
    ...unknownChecks(row).map((name) => `unknown check ${name}`),
  ];
}

async function withinMs<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  const over = new AbortController();
  const late = sleep(ms, undefined, { signal: over.signal }).then(() => {
    throw new Error(`the case did not end within ${ms} ms`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

const mcpFamilies: readonly string[] = ["mcp", "mcp_peer", "mcp_meta"];

function driveFor(row: Row): Drive {
  if (mcpFamilies.includes(row.family)) return driveMcp;
  if (row.area === "network" && lentFamilies.includes(row.family)) return driveLend;
  if (row.family === "mcp_server") return driveMcpServer;
  if (row.area === "network") return row.needs === undefined ? driveNetwork : drivePage;
  if (row.tool === "wire") return driveWire;
  if (row.tool === "script") return driveScript;
  if (row.tool === "start") return driveStart;
  if (row.tool === "resume") return driveResume;
  if (row.tool === "resume_twice") return driveResumeTwice;
  if (row.tool === "append_loop") return driveKilledAppends;
  if (row.tool === "chat") return "files_not_contain" in row.check ? driveRefusedKey : driveKeptChat;
  if (row.tool === "remember_parallel") return driveRememberers;
  if (row.tool === "strace") return driveTracedAnswer;
  if (row.kill !== undefined) return driveKilledWriter;
  if (row.repeat !== undefined) return driveRepeat;
  if (row.signal !== undefined) return driveSignals;
  if (row.answer !== undefined) return driveAnswers;
  if ("session_lines_are_json" in row.check) return driveEvents;
  return row.area === "terminal" && row.family !== "names" ? driveTerminal : driveCall;
}

/**
 * The names of the checks that may fail on a busy machine. A case that fails only in these checks runs once more,
 * alone.
 */
const timed =
  /^(max_ms|ends_within_ms|event_loop_max_lag_ms|max_render_ms|max_rss_delta_mb|hang|the model was asked)/;

export function mayBeSlowness({ problems }: CaseResult): boolean {
  return problems.length > 0 && problems.every((problem) => timed.test(problem));
}

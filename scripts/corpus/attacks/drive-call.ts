/**
 * Runs the recorded cases of one or several calls: the model makes them, the person answers, the model gets the
 * results.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "@localharness/protocol";
import { keepApprovals } from "./approvals.ts";
import { type Answer, type ChatRun, chat } from "./chat.ts";
import { fillText } from "./fill.ts";
import { checkedLimits, limitedStart } from "./limits.ts";
import { callsReply, type Reply, type SeenRequest, startModelServer, textReply } from "./model-server.ts";
import {
  type Decided,
  listOf,
  type Observation,
  readShown,
  resultsOf,
  shownArguments,
  startsOn,
} from "./observation.ts";
import { ownNames } from "./own-names.ts";
import { makePlace, type Place, prepare, snapshot, withoutVariables } from "./place.ts";
import { leftRunning } from "./processes.ts";
import { beginWatch, endGroup, endWatch, probeReport, type StartOptions } from "./program.ts";
import type { Row } from "./row.ts";
import type { Question } from "./screen.ts";
import { type Script, scriptOf, type WrittenCall } from "./script.ts";

export interface DriveOptions extends Pick<StartOptions, "program" | "sandbox"> {
  readonly limitMs: number;
}

/** Runs a case in a temporary place; `look` gets the observation before the place is removed. */
export async function driveCall<Result>(
  row: Row,
  options: DriveOptions,
  look: (seen: Observation) => Promise<Result>,
): Promise<Result> {
  using place = makePlace(row.setup);
  await keepApprovals(row, place);
  for (const [path, text] of Object.entries(row.agent_wrote_since_approval ?? {})) {
    writeFileSync(join(place.ws, path), withoutVariables(fillText(text, place.values), place.values));
  }
  const script = scriptOf(row, place);
  return await look(await runScript(row, place, script, options));
}

/** Runs a script of calls through the chat. */
export async function runScript(
  row: Row,
  place: Place,
  script: Script,
  options: DriveOptions,
): Promise<Observation> {
  const before = snapshots(row, place);
  const running: { child?: ChildProcess; attacker?: ChildProcess } = {};
  const times = { calledAt: 0, heardAt: 0 };
  const problems: string[] = [];
  /** The number of the latest iteration, and of the iteration of each question. */
  const at = { now: 0, asked: new Map<number, number>() };
  await using server = await startModelServer(async (_request, count) => {
    at.now = count;
    for (const line of script.runs?.get(count) ?? []) prepare(line, place.ws, place.values);
    if (count === script.before && script.fires === true) removeCanary(place);
    if (count === script.before) await atMainCall(row, place, running);
    if (count === script.before + 1) {
      times.heardAt = performance.now();
      if (running.child !== undefined && watches(row)) endWatch(running.child);
      problems.push(...(await outlived(row, place)));
    }
    const reply = replyFor(script, count);
    return async (socket, request) => {
      await reply(socket, request);
      if (count === script.before) times.calledAt = performance.now();
    };
  });
  const opened = row.workspace_root === undefined ? place.ws : fillText(row.workspace_root, place.values);
  const cwd = row.cwd === undefined ? opened : join(opened, row.cwd);
  const limits = limitedStart(row, checkedLimits(row));
  const run = await chat({
    ...options,
    place,
    cwd,
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: script.messages ?? ["go"],
    under: limits.under,
    terminal: row.area === "terminal" && row.mode !== "headless",
    headless: row.mode === "headless",
    // The row changes something while a question is open, so a read of an ordinary file must ask too.
    env: {
      ...limits.env,
      ...(row.between_ask_and_allow === undefined ? {} : { LOCALHARNESS_ASK_READS: "true" }),
    },
    answer: (question, count) => {
      at.asked.set(count, at.now);
      const answer = answerFor(row, script, question, at.now);
      const mine = at.now === script.before && isMain(question.tool, shownArguments(question.text), script);
      if (!mine || row.between_ask_and_allow === undefined) return answer;
      prepare(row.between_ask_and_allow, place.ws, place.values);
      return script.main?.answer ?? "once";
    },
    onStart: (child) => {
      running.child = child;
    },
  });
  if (running.attacker !== undefined) endGroup(running.attacker);
  const seen = observe(row, place, script, run, server.seen, before, { ...times, askedIn: at.asked });
  return {
    ...seen,
    ...(script.followup === undefined
      ? {}
      : { followup: ofFollowup(seen, script, script.followup, run, at.asked) }),
    problems: [...seen.problems, ...problems],
    found: { watched: times.heardAt > 0, configured: true, ...commandOf(script) },
  };
}

/** Removes what a call before the main call has created with the person's leave. */
function removeCanary(place: Place): void {
  rmSync(join(place.root, "PWNED"), { force: true });
}

/** Returns an object with the `command` of the main call; an empty object if the call has none. */
function commandOf({ main }: Script): JsonObject {
  try {
    const args: JsonValue = JSON.parse(main?.argumentsText ?? "{}");
    return isJsonObject(args) && typeof args["command"] === "string" ? { command: args["command"] } : {};
  } catch {
    return {};
  }
}

/** Reports processes of the call that still run after its result, while the program runs. */
async function outlived(row: Row, place: Place): Promise<string[]> {
  const expected = row.check["procs_gone"];
  if (expected === undefined || !isJsonObject(expected)) return [];
  const withinMs = Number(expected["within_ms"]);
  const alive = await leftRunning(place.root, new RegExp(String(expected["pattern"])), withinMs);
  return alive.length === 0 ? [] : [`still alive ${withinMs} ms after the result: ${alive.join(", ")}`];
}

function replyFor(script: Script, count: number): Reply {
  const iteration = script.iterations[count];
  if (iteration === undefined) return textReply("That is all.");
  return typeof iteration === "string" ? textReply(iteration) : callsReply(iteration, script.says);
}

/** Runs the scripts of the row that come between the start of the program and the main call, and starts the measurements. */
async function atMainCall(
  row: Row,
  place: Place,
  running: { child?: ChildProcess; attacker?: ChildProcess },
): Promise<void> {
  if (row.after_read !== undefined) prepare(row.after_read, place.ws, place.values);
  if (row.after_start !== undefined) prepare(row.after_start, place.ws, place.values);
  if (row.concurrent !== undefined) running.attacker = startAttacker(row.concurrent, place);
  if (running.child !== undefined && watches(row)) await beginWatch(running.child, place);
}

function watches({ check }: Row): boolean {
  return "max_rss_delta_mb" in check || "event_loop_max_lag_ms" in check;
}

/** Starts bash with a script that changes the workspace at the same time. The caller has to end its process group. */
export function startAttacker(text: string, place: Place): ChildProcess {
  const env = { ...process.env, ...place.values };
  return spawn("bash", ["-c", text], { cwd: place.ws, env, stdio: "ignore", detached: true });
}

/** Returns snapshots of the paths that the call must not change, or must change only completely. */
export function snapshots(row: Row, place: Place): ReadonlyMap<string, string> {
  const { unchanged, file_is_old_or_new: whole } = row.check;
  const listed = [...(Array.isArray(unchanged) ? unchanged : []), whole].filter(
    (path) => typeof path === "string",
  );
  return new Map(
    listed.map((path) => {
      const filled = ownNames(fillText(path, place.values));
      return [filled, snapshot(filled)];
    }),
  );
}

/**
 * Returns the default answer: `deny` for rows about a decision, else `once`, so that only the tool itself can stop the
 * attack.
 */
export function defaultAnswer(row: Row): Answer {
  return "decision_in" in row.check || row.area === "policy" ? "deny" : "once";
}

function answerFor(row: Row, script: Script, question: Question, at: number): Answer {
  const shown = JSON.stringify(shownArguments(question.text) ?? {});
  // The same call may be in several iterations.
  const calls = [...callsOf(script.iterations.slice(at, at + 1)), ...callsOf(script.iterations)];
  const own = calls.find((call) => call.name === question.tool && sameJson(call.argumentsText, shown));
  if (own?.answer !== undefined) return own.answer;
  // Reads are allowed, so that the script reaches its main call.
  if (own !== script.main && ["read_file", "ls", "grep_search"].includes(question.tool)) return "once";
  return defaultAnswer(row);
}

function sameJson(one: string, other: string): boolean {
  try {
    return JSON.stringify(JSON.parse(one)) === other;
  } catch {
    return false;
  }
}

function observe(
  row: Row,
  place: Place,
  script: Script,
  run: ChatRun,
  seen: readonly SeenRequest[],
  before: ReadonlyMap<string, string>,
  times: {
    readonly calledAt: number;
    readonly heardAt: number;
    readonly askedIn: ReadonlyMap<number, number>;
  },
): Observation {
  const results = resultsOf(seen);
  const main =
    script.main === undefined
      ? undefined
      : results[callsOf(script.iterations.slice(0, script.before)).length];
  const mine = run.asked.filter(
    (asked, index) =>
      times.askedIn.get(index) === script.before && isMain(asked.tool, shownArguments(asked.text), script),
  );
  const answeredAt = mine.at(-1)?.answeredAt ?? 0;
  const callMs = times.heardAt === 0 ? undefined : times.heardAt - Math.max(times.calledAt, answeredAt);
  return {
    place,
    decided:
      script.main === undefined
        ? decidedOfTexts(row, run)
        : decidedOf(script, run, mine.length > 0, main?.errorType),
    results,
    main,
    asked: run.asked,
    started: startsOn(run.screen).map((start) => start.tool),
    screen: run.screen,
    errors: run.errors,
    requests: seen,
    ended: { code: run.code, signal: run.signal, hung: run.hung },
    callMs,
    turnMs: turnMs(seen, run),
    probe: probeReport(place),
    before,
    found: {},
    problems: unheard(row, script, seen),
  };
}

/** Returns the observation with the call after the main call in place of the main call. */
function ofFollowup(
  seen: Observation,
  script: Script,
  followup: WrittenCall,
  run: ChatRun,
  askedIn: ReadonlyMap<number, number>,
): Observation {
  const before = script.before + 1;
  const main = seen.results[callsOf(script.iterations.slice(0, before)).length];
  const about = { ...script, main: followup, before };
  const asked = run.asked.some(
    ({ tool, text }, index) => askedIn.get(index) === before && isMain(tool, shownArguments(text), about),
  );
  const decided = decidedOf(about, run, asked, main?.errorType);
  return { ...seen, main, decided, results: main === undefined ? [] : [main] };
}

function turnMs(seen: readonly SeenRequest[], run: ChatRun): number | undefined {
  const from = seen[0]?.arrivedAt;
  const to = run.idleAt[0];
  return from === undefined || to === undefined ? undefined : to - from;
}

/** Returns true if a question or start is about the main call. Of several calls of the tool, the arguments decide. */
function isMain(tool: string, shown: JsonObject | undefined, { main, iterations }: Script): boolean {
  if (main === undefined || tool !== main.name) return false;
  if (callsOf(iterations).filter((call) => call.name === main.name).length === 1) return true;
  return sameJson(main.argumentsText, JSON.stringify(shown ?? {}));
}

function decidedOf(script: Script, run: ChatRun, asked: boolean, errorType: string | undefined): Decided {
  if (asked) return "ask";
  const same = callsOf(script.iterations.slice(0, script.before)).filter(
    ({ name, argumentsText }) =>
      name === script.main?.name &&
      sameJson(argumentsText, JSON.stringify(jsonOf(script.main.argumentsText))),
  );
  const ran = startsOn(run.screen).filter(({ tool, text }) => isMain(tool, readShown(text), script));
  if (ran.length > same.length) return "allow";
  return errorType === "permission_denied" ? "deny" : "invalid";
}

/** Returns the decision about calls in the texts of a model that repeats what it read; undefined if the row has none. */
function decidedOfTexts(row: Row, run: ChatRun): Decided | undefined {
  if (row.model_script === undefined && row.user_paste === undefined && row.tool !== "user_paste") {
    return undefined;
  }
  if (run.asked.length > 0) return "ask";
  return startsOn(run.screen).length > 0 ? "allow" : "invalid";
}

function callsOf(iterations: Script["iterations"]): WrittenCall[] {
  return iterations.flatMap((iteration) => (typeof iteration === "string" ? [] : iteration));
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reports when the model was not asked again after the main call, so that it never got the result. */
function unheard(row: Row, script: Script, seen: readonly SeenRequest[]): string[] {
  const expected = script.before + 2;
  if (seen.length >= expected || script.main === undefined) return [];
  const messages = listOf(seen.at(-1)?.body["messages"]).length;
  return [
    `the model was asked ${seen.length} times, expected ${expected} (${messages} messages, ${row.tool})`,
  ];
}

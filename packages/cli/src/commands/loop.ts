/** `localharness loop TASKFILE`: works through the stories of a task file unattended. */
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Session, TurnEnd } from "@localharness/engine";
import { usageError } from "@localharness/engine";
import { type Composition, compose, runOptions } from "@localharness/harness/compose";
import { loadSettings } from "@localharness/harness/config/settings";
import { exitCodes } from "@localharness/harness/exit-code";
import { runStories } from "@localharness/harness/loop/run-stories";
import { readTaskFile } from "@localharness/harness/loop/task-file";
import { settleTrust } from "@localharness/harness/trust/settle-trust";
import { defaultLoopTurns } from "../arguments/flags.ts";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { answerRequests } from "../modes/answer-requests.ts";
import { leave, watchInterrupts } from "../modes/interrupts.ts";
import { personFor, statedAnswer } from "../modes/person.ts";
import { put, showAround, showOneShot } from "../modes/print.ts";
import { createEventWriter } from "../modes/stream-json.ts";
import { startTimeLimit, type TimeLimit } from "../modes/time-limit.ts";
import { outputOf, timeoutOf } from "../modes/unattended.ts";
import { createTextOutput, onReaderGone } from "../terminal/output.ts";
import { plainJson, plainText } from "../terminal/plain-text.ts";
import { openFolders } from "./open-folders.ts";

export async function runLoop(invocation: Invocation): Promise<number> {
  const { flags, positionals } = invocation;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usageError("usage: localharness loop TASKFILE");
  const taskFile = resolve(file);
  const tasks = await readTaskFile(taskFile);
  if (!tasks.ok) throw usageError(`the task file ${taskFile} cannot be used: ${tasks.problem}`);
  const settings = await loadSettings(flags);
  const composition = await compose(settings, textFlag(flags, "workspace"), {
    ...runOptions(flags),
    unattended: true,
  });
  try {
    return await loop(composition, invocation, taskFile);
  } finally {
    await composition.close();
  }
}

async function loop(composition: Composition, invocation: Invocation, taskFile: string): Promise<number> {
  const { flags } = invocation;
  const output = outputOf(flags);
  const limit = startTimeLimit(timeoutOf(flags), exitCodes.timeout);
  const taskPath = pathInside(composition.workspace, await realpath(taskFile));
  const { workspace, trustStore: store, preferMode, sandbox, endChildren } = composition;
  const note = (text: string) => process.stderr.write(`· ${plainText(text)}\n`);
  note(sandbox.describe());
  const trust = await settleTrust({ workspace, store, flags, tell: note, preferMode });
  if (trust === "leave") return exitCodes.done;
  for (const warning of await composition.offerAgents(trust)) note(warning);
  await openFolders(composition, flags, { tell: note });
  const ask = personFor(statedAnswer(flags), createTextOutput(process.stderr));
  const stops = watchStops(limit, endChildren);
  const writer = output === "stream-json" ? createEventWriter(stops.loseReader) : undefined;
  if (writer === undefined) onReaderGone(process.stdout, stops.loseReader);
  const runTurn = async (message: string): Promise<TurnEnd> => {
    if (stops.stopped) return { type: "turn-end", reason: "interrupted", denied: 0 };
    await composition.folders.begin();
    const session = composition.newSession(ask === undefined ? "nothing" : "calls", trust);
    stops.follow(session);
    if (output === "text") showOneShot(session);
    else if (output === "json") showAround(session);
    else writer?.follow(session);
    if (ask !== undefined) answerRequests(session, ask);
    try {
      return await session.prompt(message);
    } finally {
      await session.close();
    }
  };
  try {
    const result = await runStories({
      taskFile,
      taskPath,
      workspace,
      maxTurns: typeof flags["max-turns"] === "number" ? flags["max-turns"] : defaultLoopTurns,
      tell: (line) => process.stderr.write(`${plainText(line)}\n`),
      runTurn,
    });
    if (output === "json") {
      await put(`${plainJson({ ...result, exitCode: stops.codeOf(result.exitCode) })}\n`);
    }
    return stops.codeOf(result.exitCode);
  } finally {
    stops.end();
  }
}

interface Stops {
  readonly stopped: boolean;
  /** Sets the session that a stop interrupts, which is the session of the current turn. */
  follow(session: Session): void;
  loseReader(): void;
  /** Returns the exit code for a closed stdout or an expired time limit; otherwise `code`. */
  codeOf(code: number): number;
  end(): void;
}

/** Watches for Ctrl-C, the time limit and a closed stdout, which stop the loop even between two turns. */
function watchStops(limit: TimeLimit, endChildren: () => Promise<void>): Stops {
  let current: Session | undefined;
  let stopped = false;
  let readerGone = false;
  const stop = () => {
    stopped = true;
    current?.send({ type: "interrupt" });
  };
  limit.onExpiry(stop, endChildren);
  const interrupts = watchInterrupts((count) => {
    stop();
    if (count > 1) leave(endChildren);
  });
  return {
    get stopped() {
      return stopped;
    },
    follow(session) {
      current = session;
    },
    loseReader() {
      readerGone = true;
      stop();
    },
    codeOf(code) {
      if (readerGone) return exitCodes.error;
      return limit.expired ? exitCodes.timeout : code;
    },
    end: () => interrupts.stop(),
  };
}

function pathInside(workspace: string, file: string): string {
  const path = relative(workspace, file);
  if (path === "" || path === ".." || path.startsWith(`..${sep}`) || isAbsolute(path)) {
    throw usageError(
      `the task file ${file} is outside the workspace ${workspace}: the model could not update it.`,
    );
  }
  return path.split(sep).join("/");
}

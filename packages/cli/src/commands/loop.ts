/** `localharness loop TASKFILE`: works through the stories of a task file without anybody watching. */
import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Session, TurnEnd } from "@localharness/engine";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { usageError } from "../complaints.ts";
import { type Composition, compose, runOptions } from "../compose.ts";
import { loadSettings } from "../config/settings.ts";
import { type LoopResult, runStories } from "../loop/run-stories.ts";
import { readTaskFile } from "../loop/task-file.ts";
import { answerRequests } from "../modes/answer-requests.ts";
import { exitCodes } from "../modes/exit-code.ts";
import { leave, watchInterrupts } from "../modes/interrupts.ts";
import { personFor, statedAnswer } from "../modes/person.ts";
import { showAround, showOneShot } from "../modes/print.ts";
import { createEventWriter } from "../modes/stream-json.ts";
import { startTimeLimit } from "../modes/time-limit.ts";
import { outputOf, timeoutOf } from "../modes/unattended.ts";
import { createTextOutput } from "../terminal/output.ts";
import { plainText } from "../terminal/plain-text.ts";
import { settleTrust } from "../trust/settle-trust.ts";

const usualTurns = 25;

export async function runLoop(invocation: Invocation): Promise<number> {
  const { flags, positionals } = invocation;
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw usageError("usage: localharness loop TASKFILE");
  const taskFile = resolve(file);
  const tasks = await readTaskFile(taskFile);
  if (!tasks.ok) throw usageError(`the task file ${taskFile} cannot be used: ${tasks.problem}`);
  const settings = await loadSettings(flags);
  const composition = await compose(settings, textFlag(flags, "workspace"), runOptions(flags));
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
  const taskPath = pathInside(composition.workspace, taskFile);
  const { workspace, trustStore: store, sandbox, endChildren } = composition;
  const note = (text: string) => process.stderr.write(`· ${plainText(text)}\n`);
  note(sandbox.describe());
  const trust = await settleTrust({ workspace, store, flags, tell: note });
  if (trust === "leave") return exitCodes.done;
  for (const warning of await composition.offerAgents(trust)) note(warning);
  const ask = personFor(statedAnswer(flags), createTextOutput(process.stderr));
  let current: Session | undefined;
  const interrupt = () => current?.send({ type: "interrupt" });
  limit.onExpiry(interrupt, endChildren);
  const writer = output === "text" ? undefined : createEventWriter(interrupt);
  const interrupts = watchInterrupts((count) => {
    interrupt();
    if (count > 1) leave(endChildren);
  });
  const codeOf = (code: number) => (limit.expired ? exitCodes.timeout : code);
  const atTheEnd = (result: LoopResult) => ({ ...result, exitCode: codeOf(result.exitCode) });
  try {
    const code = await runStories({
      taskFile,
      taskPath,
      workspace,
      maxTurns: typeof flags["max-turns"] === "number" ? flags["max-turns"] : usualTurns,
      tell: (line) => process.stderr.write(`${plainText(line)}\n`),
      ...(output === "json" ? { report: (result) => writer?.write(atTheEnd(result)) } : {}),
      runTurn: async (message): Promise<TurnEnd> => {
        if (limit.expired) return { type: "turn-end", reason: "interrupted", denied: 0 };
        const session = composition.newSession(ask !== undefined, trust);
        current = session;
        if (output === "text") showOneShot(session);
        else if (output === "json") showAround(session);
        else writer?.follow(session);
        if (ask !== undefined) answerRequests(session, ask);
        return session.prompt(message);
      },
    });
    return codeOf(code);
  } finally {
    interrupts.stop();
  }
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

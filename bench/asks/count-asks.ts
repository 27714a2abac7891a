/** Runs a task with the real program and counts how often the person is asked. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode } from "@localharness/protocol";
import { type Answer, chat } from "../../scripts/corpus/attacks/chat.ts";
import { callsReply, startModelServer, textReply } from "../../scripts/corpus/attacks/model-server.ts";
import { makePlace, type Place, prepare } from "../../scripts/corpus/attacks/place.ts";
import { project, type Task } from "./tasks.ts";

export interface AskOptions {
  /** The path of the program. */
  readonly program: string;
  readonly sandbox: "auto" | "off";
  readonly mode?: PermissionMode;
  /** The person's answer to every question. */
  readonly answer: Answer;
  /** Runs the task once before, in another session on the same project, and counts only the second time. */
  readonly again?: boolean;
}

export interface AskCount {
  readonly asks: number;
  /** The tools that were asked about, in order. */
  readonly askedFor: readonly string[];
  /** The problems of the run: the program hung or failed, a call was denied, or the number of model calls is wrong. */
  readonly problems: readonly string[];
}

const limitMs = 120_000;

export async function countAsks(task: Task, options: AskOptions): Promise<AskCount> {
  using place = makePlace(project);
  if (options.again === true) {
    await doTask(task, place, options);
    // The project is created again, so that the second run of the task finds it unchanged.
    for (const name of readdirSync(place.ws))
      rmSync(join(place.ws, name), { recursive: true, maxRetries: 5 });
    prepare(project, place.ws, place.values);
  }
  return await doTask(task, place, options);
}

async function doTask(
  task: Task,
  place: Place,
  { program, sandbox, answer, mode = "default" }: AskOptions,
): Promise<AskCount> {
  await using server = await startModelServer((_request, count) => {
    const calls = task.answers[count];
    return calls === undefined
      ? textReply("Done.")
      : callsReply(calls.map(({ name, arguments: args }) => ({ name, argumentsText: JSON.stringify(args) })));
  });
  const run = await chat({
    program,
    sandbox,
    place,
    args: ["--mode", mode],
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: [task.name],
    answer: () => answer,
    limitMs,
  });
  const problems = [
    ...(run.hung ? ["it hung"] : []),
    ...(run.code === 0 ? [] : [`exit code ${run.code}`]),
    ...(/✗ \S+ permission_denied/.test(run.screen) ? ["a call was denied"] : []),
    ...(server.seen.length === task.answers.length + 1 ? [] : [`${server.seen.length} model calls`]),
  ];
  return { asks: run.asked.length, askedFor: run.asked.map(({ tool }) => tool), problems };
}

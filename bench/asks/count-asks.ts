/** Does tasks in one session of the real program and counts how often the person is asked. */
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PermissionMode } from "@localharness/protocol";
import { type Answer, chat } from "../../scripts/corpus/attacks/chat.ts";
import { startModelServer } from "../../scripts/corpus/attacks/model-server.ts";
import { makePlace, type Place, prepare } from "../../scripts/corpus/attacks/place.ts";
import { scripted } from "./scripted.ts";
import { project, type Task } from "./tasks.ts";

export interface AskOptions {
  /** The path of the program. */
  readonly program: string;
  readonly sandbox: "auto" | "off";
  readonly mode?: PermissionMode;
  /** The person's answer to every question. */
  readonly answer: Answer;
  /** Does the tasks once before, in another session on the same project, and counts only the second time. */
  readonly again?: boolean;
}

export interface AskCount {
  /** The tools that were asked about, in order, for each task. */
  readonly askedFor: readonly (readonly string[])[];
  /** The problems of the run: the program hung or failed, a call was denied, or the number of model calls is wrong. */
  readonly problems: readonly string[];
}

const limitMs = 240_000;

export async function countAsks(tasks: readonly Task[], options: AskOptions): Promise<AskCount> {
  using place = makePlace(project);
  if (options.again === true) {
    await doTasks(tasks, place, options);
    // The project is created again, so that the second run of the tasks finds it unchanged.
    for (const name of readdirSync(place.ws))
      rmSync(join(place.ws, name), { recursive: true, maxRetries: 5 });
    prepare(project, place.ws, place.values);
  }
  return await doTasks(tasks, place, options);
}

async function doTasks(
  tasks: readonly Task[],
  place: Place,
  { program, sandbox, answer, mode = "default" }: AskOptions,
): Promise<AskCount> {
  await using server = await startModelServer(scripted(tasks));
  let task = 0;
  const askedFor: string[][] = tasks.map(() => []);
  const run = await chat({
    program,
    sandbox,
    place,
    args: ["--mode", mode],
    baseUrl: `http://127.0.0.1:${server.port}/v1`,
    messages: tasks.map(({ name }) => name),
    beforeMessage: (index) => {
      task = index;
    },
    answer: ({ tool }) => {
      askedFor[task]?.push(tool);
      return answer;
    },
    limitMs,
  });
  const requests = tasks.reduce((sum, { answers }) => sum + answers.length + 1, 0);
  const problems = [
    ...(run.hung ? ["it hung"] : []),
    ...(run.code === 0 ? [] : [`exit code ${run.code}`]),
    ...(/✗ \S+ permission_denied/.test(run.screen) ? ["a call was denied"] : []),
    ...(/✗ edit_file/.test(run.screen) ? ["an edit failed"] : []),
    ...(server.seen.length === requests ? [] : [`${server.seen.length} model calls, not ${requests}`]),
  ];
  return { askedFor, problems };
}

/**
 * Runs the unattended loop. Each turn works on one story in a new session. The loop ends when all stories pass, when two
 * turns in a row change nothing, at the limit of turns, or after an error or an interrupt.
 */

import type { TurnEnd } from "@localharness/engine";
import { countText } from "@localharness/protocol";
import { exitCodes } from "../exit-code.ts";
import { nextStory, readTaskFile, type Story } from "./task-file.ts";
import { workspaceMark } from "./workspace-mark.ts";

export interface LoopOptions {
  /** The absolute path of the task file. */
  readonly taskFile: string;
  /** The path of the task file in messages to the model. */
  readonly taskPath: string;
  readonly workspace: string;
  readonly maxTurns: number;
  /** Runs one turn in a new session. */
  runTurn(message: string): Promise<TurnEnd>;
  /** Shows the person a line about the progress. */
  tell(line: string): void;
}

export interface LoopResult {
  readonly type: "loop-result";
  readonly exitCode: number;
  /** The reason why the loop ended, in words. */
  readonly reason: string;
  readonly turns: number;
  readonly passed: number;
  /** The state of the stories at the end; empty if the task file can no longer be read. */
  readonly stories: readonly { readonly id: string; readonly title: string; readonly passes: boolean }[];
}

/** The loop gives up after this number of consecutive turns without a change. */
const maxIdleTurns = 2;

/** Runs the loop and returns its result. The last lines that it shows are a summary. */
export async function runStories(options: LoopOptions): Promise<LoopResult> {
  let idle = 0;
  let denied = 0;
  for (let turn = 1; ; turn += 1) {
    const tasks = await readTaskFile(options.taskFile);
    if (!tasks.ok) {
      return finish(
        options,
        exitCodes.error,
        `${options.taskPath} cannot be read: ${tasks.problem}`,
        turn - 1,
      );
    }
    const story = nextStory(tasks.stories);
    if (story === undefined) return finish(options, exitCodes.done, "all stories pass", turn - 1);
    if (idle >= maxIdleTurns) return finish(options, stuckCode(denied), stuckText(denied), turn - 1);
    if (turn > options.maxTurns) {
      return finish(
        options,
        exitCodes.limit,
        `stopped at the limit of ${countText(options.maxTurns, "turn")} (--max-turns)`,
        turn - 1,
      );
    }
    const passing = tasks.stories.filter((one) => one.passes).length;
    options.tell(
      `turn ${turn}: story ${story.id} ${story.title} (${passing} of ${tasks.stories.length} pass)`,
    );
    const before = await workspaceMark(options.workspace);
    const end = await options.runTurn(storyMessage(options.taskPath, story));
    denied += end.denied;
    if (end.reason === "interrupted") return finish(options, exitCodes.interrupted, "interrupted", turn);
    if (end.reason === "error") {
      return finish(options, exitCodes.error, end.message ?? "the model failed", turn);
    }
    const moved = before !== (await workspaceMark(options.workspace));
    idle = moved ? 0 : idle + 1;
    if (!moved) options.tell(`turn ${turn}: nothing changed`);
  }
}

/** Returns the message that asks the model to work on one story. */
export function storyMessage(taskPath: string, story: Story): string {
  return `Work on one story of the task file ${taskPath}, the story with id ${JSON.stringify(story.id)}${story.title === "" ? "" : `: ${story.title}`}.
1. Read ${taskPath} and what the story needs.
2. Do what the story asks for, no other story.
3. Check it: run the tests or read what you changed.
4. Only when it works: set "passes" of this story to true in ${taskPath} and commit, if this is a git repository.
Then say in one sentence what you did. If you cannot finish it, leave "passes" false and say what is missing.`;
}

function stuckCode(denied: number): number {
  return denied > 0 ? exitCodes.denied : exitCodes.limit;
}

function stuckText(denied: number): string {
  const text = `no progress in ${maxIdleTurns} turns: no file, commit or flag changed`;
  if (denied === 0) return text;
  const calls = `${countText(denied, "call")} ${denied === 1 ? "was" : "were"}`;
  return `${text}; ${calls} denied: allow what the stories need, for example with --mode accept-edits`;
}

async function finish(options: LoopOptions, code: number, why: string, turns: number): Promise<LoopResult> {
  const tasks = await readTaskFile(options.taskFile);
  const stories = tasks.ok ? tasks.stories : [];
  const passed = stories.filter((story) => story.passes).length;
  const counts = tasks.ok
    ? `${passed} of ${countText(stories.length, "story", "stories")} pass`
    : "stories unknown";
  options.tell(`loop: ${why}`);
  options.tell(`loop: ${counts} after ${countText(turns, "turn")}`);
  for (const story of stories) options.tell(`  ${story.passes ? "✓" : "·"} ${story.id} ${story.title}`);
  return {
    type: "loop-result",
    exitCode: code,
    reason: why,
    turns,
    passed,
    stories: stories.map(({ id, title, passes }) => ({ id, title, passes })),
  };
}

/** Does tasks on the real screen of 80 columns and 24 rows, and counts the presses of the key that allows each call. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startModelServer } from "../../scripts/corpus/attacks/model-server.ts";
import { makePlace } from "../../scripts/corpus/attacks/place.ts";
import { type InTerminal, quotedWords, spawnInTerminal } from "../../test/spawn-in-terminal.ts";
import { scripted } from "./scripted.ts";
import { project, type Task } from "./tasks.ts";

export interface PressCount {
  /** The presses that each question took, by the tool that it was about, in order. */
  readonly questions: readonly { readonly tool: string; readonly presses: number }[];
  readonly problems: readonly string[];
}

const limitMs = 180_000;
/** A question takes keys after 300 ms, and an answer counts 300 ms after its key. Both need room on a busy machine. */
const readMs = 700;
const answerMs = 1_500;

/** Does the tasks in one session and allows each call once. A press that has no effect is repeated and counted. */
export async function countPresses(program: string, tasks: readonly Task[]): Promise<PressCount> {
  using place = makePlace(project);
  await using server = await startModelServer(scripted(tasks));
  const baseUrl = `http://127.0.0.1:${server.port}/v1`;
  const options = [
    "--sandbox",
    "off",
    "--trust",
    "--tools",
    "all",
    "--base-url",
    baseUrl,
    "--model",
    "fake-model",
  ];
  const words = quotedWords([process.execPath, program, ...options]);
  const child = spawnInTerminal(`stty rows 24 cols 80; exec ${words}`, {
    home: place.home,
    workspace: place.ws,
  });
  child.stdout.resume();
  try {
    return await workThrough(child, tasks, () => eventsIn(place.home));
  } finally {
    child.kill("SIGKILL");
  }
}

interface Events {
  /** The tools that were asked about, in order. */
  readonly asked: readonly string[];
  readonly answered: number;
  readonly turns: number;
}

async function workThrough(
  child: InTerminal,
  tasks: readonly Task[],
  look: () => Events,
): Promise<PressCount> {
  const presses: number[] = [];
  const until = performance.now() + limitMs;
  await sleep(readMs * 3);
  for (const [index, task] of tasks.entries()) {
    child.stdin.write(`${task.name}\r`);
    for (let now = look(); now.turns <= index; now = look()) {
      if (performance.now() > until) return result(now, presses, [`${task.name}: it did not end`]);
      if (now.asked.length > now.answered) await press(child, presses, now.answered, look);
      else await sleep(50);
    }
  }
  return result(look(), presses, []);
}

async function press(
  child: InTerminal,
  presses: number[],
  question: number,
  look: () => Events,
): Promise<void> {
  await sleep(readMs);
  child.stdin.write("1");
  presses[question] = (presses[question] ?? 0) + 1;
  const until = performance.now() + answerMs;
  while (look().answered === question && performance.now() < until) await sleep(50);
}

function result({ asked }: Events, presses: readonly number[], problems: readonly string[]): PressCount {
  return { questions: asked.map((tool, index) => ({ tool, presses: presses[index] ?? 0 })), problems };
}

/** Returns what the session's file says so far. */
function eventsIn(home: string): Events {
  const folder = join(home, ".local", "state", "localharness", "sessions");
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: "utf8" }) : [];
  const files = names.filter((name) => name.endsWith(".jsonl"));
  const text = files.map((name) => readFileSync(join(folder, name), "utf8")).join("");
  const requests = text.matchAll(/"type":"permission-request".*?"toolName":"(\w+)"/g);
  return {
    asked: [...requests].map(([, tool = ""]) => tool),
    answered: text.split('"type":"permission-answer"').length - 1,
    turns: text.split('"type":"turn-end"').length - 1,
  };
}

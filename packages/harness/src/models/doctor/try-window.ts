/**
 * Finds the context window that a server really gives a model. It sends longer and longer prompts, and the model must
 * repeat a word from the beginning.
 */
import type { Model } from "@localharness/engine";
import { defined } from "@localharness/protocol";
import type { Put, TrialAnswer } from "./ask.ts";
import type { WindowFinding } from "./findings.ts";
import { speedsOf } from "./speeds.ts";

export interface WindowTrial {
  readonly model: Model;
  /** The window in tokens that the server or the settings name; undefined if neither does. */
  readonly claimed: number | undefined;
  readonly put: Put;
  readonly say: (check: string) => void;
  /** The model's reading speed in tokens per second; undefined if the answers so far do not tell it. */
  readonly readsPerSecond: number | undefined;
  /** The time limit of an answer, in milliseconds. Prompts after the first that need more than half of it are not tried. */
  readonly answerMs: number;
}

export interface TriedWindow {
  readonly finding: WindowFinding;
  /** False if the trial stopped early, because the model is too slow for longer prompts or the server failed. */
  readonly complete: boolean;
}

const words = ["marigold", "cobalt", "harbour", "walnut", "ember", "juniper", "velvet", "quartz"];
const smallest = 1_500;
/** The size of the largest prompt in tokens, without and with a claimed window. */
const largest = { unclaimed: 24_000, claimed: 48_000 };
/** The largest prompt takes this share of the claimed window, so that the answer has room. */
const share = 0.85;
const tokensPerLine = 8;
/** If the server counts less than this share of a prompt's tokens, it has cut the prompt. */
const cutShare = 0.8;

export async function tryWindow(trial: WindowTrial): Promise<TriedWindow> {
  const { claimed, say } = trial;
  let speed = trial.readsPerSecond;
  let remembers: number | undefined;
  const end = (complete: boolean, window?: number) => ({ finding: defined({ remembers, window }), complete });
  for (const [step, size] of sizes(claimed).entries()) {
    if (step > 0 && speed !== undefined && (size * 1_000) / speed > trial.answerMs / 2) return end(false);
    say(`a prompt of about ${size} tokens`);
    const first = await tell(trial, size, words[step % words.length] ?? "amber");
    speed = speedsOf([first.answer]).readsPerSecond ?? speed;
    if (first.found) {
      remembers = first.answer.inputTokens ?? size;
      continue;
    }
    if (first.answer.late) return end(false);
    // A weak model can miss a word once. A cut prompt never has it.
    const second = first.tooLong ? first : await tell(trial, size, "saffron");
    if (second.found) {
      remembers = second.answer.inputTokens ?? size;
      continue;
    }
    if (second.answer.failure !== undefined && !second.tooLong) return end(false);
    return end(true, windowOf(second.answer, size, remembers));
  }
  return end(true);
}

/** Returns the sizes of the prompts in tokens, in ascending order. */
function sizes(claimed: number | undefined): readonly number[] {
  const most =
    claimed === undefined ? largest.unclaimed : Math.min(largest.claimed, Math.floor(claimed * share));
  const found: number[] = [];
  for (let size = smallest; size <= most; size *= 2) found.push(size);
  const last = found.at(-1);
  return last !== undefined && last < most ? [...found, most] : found;
}

interface Told {
  readonly answer: TrialAnswer;
  readonly found: boolean;
  readonly tooLong: boolean;
}

async function tell({ model, put }: WindowTrial, size: number, word: string): Promise<Told> {
  const lines = Array.from(
    { length: Math.ceil(size / tokensPerLine) },
    (_, index) => `Line ${index + 1}: nothing to see.`,
  );
  const asks = "What is the password of the first line? Answer with this word only.";
  const answer = await put(model, [`The password is ${word}.`, ...lines, asks].join("\n"), []);
  const said = `${answer.text} ${answer.reasoning}`.toLowerCase();
  return { answer, found: said.includes(word), tooLong: answer.tooLong };
}

/**
 * Returns the window in tokens after a prompt of `size` tokens whose beginning was lost. If the server counted clearly
 * fewer tokens than were sent, that count is the window, but at least `remembers`. Otherwise the window is `remembers`, the
 * size of the largest prompt whose word the model repeated; undefined if it never repeated one, because then it may not
 * understand the task.
 */
function windowOf(
  { inputTokens }: TrialAnswer,
  size: number,
  remembers: number | undefined,
): number | undefined {
  if (inputTokens !== undefined && inputTokens < size * cutShare) {
    return Math.max(inputTokens, remembers ?? 0);
  }
  return remembers;
}

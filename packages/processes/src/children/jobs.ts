/** Runs commands in the background. They continue between calls and turns, and end with the session. */
import type { Clock } from "@localharness/engine";
import { reasonOf } from "@localharness/protocol";
import { type CapturedOutput, createOutputCapture, type OutputCapture } from "./capture-output.ts";
import type { OutputFolder } from "./output-folder.ts";
import type { ProgramResult } from "./programs.ts";

export interface Job {
  readonly id: string;
  readonly command: string;
  /** The end of the job, in words; undefined while it runs. */
  readonly ended: string | undefined;
  /** The age of the job in milliseconds; for an ended job, the time that it ran. */
  readonly ageMs: number;
  readonly lastLine: string;
}

/** Says in words that something of a command was not released after its end; empty if all was. */
export interface Unreleased {
  readonly unreleased?: string;
}

/** Starts the command. Its promise never rejects and resolves when the whole process tree has ended. */
export type JobStart = (
  signal: AbortSignal,
  onOutput: (chunk: Buffer) => void,
) => Promise<ProgramResult & Unreleased>;

export interface Jobs {
  /** Starts a job and returns its id, such as `job-1`; undefined if the maximum number of jobs is running. */
  start(command: string, start: JobStart): string | undefined;
  /** Returns the jobs, oldest first. */
  list(): readonly Job[];
  /**
   * Resolves to the output since the last read. Waits until there is new output, the job has ended, `waitMs` have passed, or
   * the signal aborts. Resolves to undefined if no job has this id.
   */
  read(id: string, waitMs: number, signal: AbortSignal): Promise<JobOutput | undefined>;
  /** Calls the listener, and no earlier one, each time a job has ended by itself. */
  watch(listener: (job: Job) => void): void;
  /** Resolves when the job has ended; at once if no job has this id. */
  whenEnded(id: string): Promise<void>;
  /** Ends a job and all processes that it has started. Resolves to false if no running job has this id. */
  end(id: string): Promise<boolean>;
  /** Ends all jobs and forgets them. */
  clear(): Promise<void>;
  /**
   * Returns a note for the model about each job that has ended by itself, unless the model has read the end. Returns each
   * note once.
   */
  takeNotes(): readonly string[];
}

export interface JobOutput {
  readonly output: CapturedOutput;
  readonly ended: string | undefined;
}

/** The maximum number of jobs that run at once. */
export const maxJobs = 16;
/** The maximum number of ended jobs that stay in the list when a job starts. */
const maxEnded = 50;

interface Entry {
  readonly id: string;
  readonly command: string;
  readonly began: number;
  readonly stop: AbortController;
  /** Functions to call after new output and at the end. */
  readonly wakers: Set<() => void>;
  done: Promise<void>;
  capture: OutputCapture;
  hasNew: boolean;
  lastLine: string;
  /** True once the model has read that the job ended, or a person has ended it. */
  told: boolean;
  end?: { readonly text: string; readonly at: number };
}

/** Returns an empty list of jobs. `limit` returns the maximum number of bytes of output that one read returns. */
export function createJobs(limit: () => number, outputs: OutputFolder, clock: Clock): Jobs {
  return new JobTable(() => createOutputCapture(limit(), outputs), clock);
}

class JobTable implements Jobs {
  readonly #entries = new Map<string, Entry>();
  readonly #newCapture: () => OutputCapture;
  readonly #clock: Clock;
  #counter = 0;
  #watcher: (job: Job) => void = () => undefined;

  constructor(newCapture: () => OutputCapture, clock: Clock) {
    this.#newCapture = newCapture;
    this.#clock = clock;
  }

  start(command: string, start: JobStart): string | undefined {
    const ended = this.#all().filter(({ end }) => end !== undefined);
    if (this.#entries.size - ended.length >= maxJobs) return undefined;
    for (const { id } of ended.slice(0, Math.max(0, ended.length - maxEnded))) this.#forget(id);
    this.#counter += 1;
    const entry: Entry = {
      id: `job-${this.#counter}`,
      command,
      began: this.#clock.monotonic(),
      stop: new AbortController(),
      wakers: new Set(),
      done: Promise.resolve(),
      capture: this.#newCapture(),
      hasNew: false,
      lastLine: "",
      told: false,
    };
    this.#entries.set(entry.id, entry);
    entry.done = this.#run(entry, start);
    return entry.id;
  }

  async #run(entry: Entry, start: JobStart): Promise<void> {
    const wake = () => {
      for (const one of [...entry.wakers]) one();
    };
    const text = await start(entry.stop.signal, (chunk) => {
      entry.capture.push(chunk);
      entry.hasNew = true;
      wake();
    }).then(
      ({ end, unreleased }) => [endText(end), ...(unreleased === undefined ? [] : [unreleased])].join("; "),
      (error: unknown) => `it failed: ${reasonOf(error)}`,
    );
    entry.end = { text, at: this.#clock.monotonic() };
    wake();
    if (!entry.told) this.#watcher(this.#reportOf(entry));
  }

  list(): readonly Job[] {
    return this.#all().map((entry) => this.#reportOf(entry));
  }

  async read(id: string, waitMs: number, signal: AbortSignal): Promise<JobOutput | undefined> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    if (!entry.hasNew && entry.end === undefined) await newsOf(entry, waitMs, signal);
    // The end is read before the output, so that a result that has the end also has all of the output.
    const ended = entry.end?.text;
    if (entry.hasNew) entry.lastLine = entry.capture.lastLine();
    const output = entry.capture.finish();
    entry.capture = this.#newCapture();
    entry.hasNew = false;
    if (ended !== undefined) entry.told = true;
    return { output, ended };
  }

  watch(listener: (job: Job) => void): void {
    this.#watcher = listener;
  }

  async whenEnded(id: string): Promise<void> {
    await this.#entries.get(id)?.done;
  }

  async end(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.end !== undefined) return false;
    await stop(entry);
    return true;
  }

  async clear(): Promise<void> {
    const all = this.#all();
    this.#entries.clear();
    await Promise.all(all.map(stop));
    for (const { capture } of all) capture.finish();
  }

  takeNotes(): readonly string[] {
    const news = this.#all().filter(({ end, told }) => end !== undefined && !told);
    for (const entry of news) entry.told = true;
    return news.map((entry) => endedNote(this.#reportOf(entry)));
  }

  #all(): readonly Entry[] {
    return [...this.#entries.values()];
  }

  #forget(id: string): void {
    this.#entries.get(id)?.capture.finish();
    this.#entries.delete(id);
  }

  #reportOf(entry: Entry): Job {
    const { id, command, began, end } = entry;
    if (entry.hasNew) entry.lastLine = entry.capture.lastLine();
    const ageMs = (end?.at ?? this.#clock.monotonic()) - began;
    return { id, command, ended: end?.text, ageMs, lastLine: entry.lastLine };
  }
}

const maxShown = 100;

function endedNote({ id, command, ended }: Job): string {
  const shown = command.length > maxShown ? `${command.slice(0, maxShown).toWellFormed()}…` : command;
  return `The background job ${id} (${shown}) has ended: ${ended}.`;
}

async function stop(entry: Entry): Promise<void> {
  entry.told = true;
  entry.stop.abort();
  await entry.done;
}

/** Resolves at the next output or the end of the job, after `waitMs`, or when the signal aborts. */
function newsOf({ wakers }: Entry, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      wakers.delete(finish);
      resolve();
    };
    const timer = setTimeout(finish, waitMs);
    wakers.add(finish);
    signal.addEventListener("abort", finish, { once: true });
    if (signal.aborted) finish();
  });
}

function endText(end: ProgramResult["end"]): string {
  switch (end.kind) {
    case "exited":
      return `exit code: ${end.code}`;
    case "killed":
      return `killed by ${end.signal}`;
    case "timeout":
      return "ended at its time limit";
    case "cancelled":
      return "ended by the person or with the session";
    case "not-started":
      return `it could not be started (${end.code})`;
  }
}

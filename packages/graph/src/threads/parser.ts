/** Runs the parser thread. If a parse takes too long or crashes the thread, only its own file is lost. */
import type { Worker } from "node:worker_threads";
import { reasonOf } from "@localharness/protocol";
import { limitParse } from "./limit-parse.ts";
import type { ParseAnswer, ParseRequest } from "./parse-messages.ts";

/** The maximum processor time of a parse in milliseconds. */
export const maxParseMs = 5_000;
const maxAttempts = 2;
/** The maximum heap of a parser thread. */
export const maxParserMegabytes = 1_024;

export interface Parser {
  /** Parses one text. Texts are parsed one after another. Never rejects. */
  parse(request: ParseRequest): Promise<ParseAnswer>;
  /** Ends the thread for good. A parse that is running or waiting is answered with `cancelled`. */
  close(): Promise<void>;
}

/** Returns a parser. Its thread starts with the first text; `file` is the module of the thread. */
export function createParser(file: string, maxMs: number = maxParseMs): Parser {
  let thread: Promise<Worker> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let closed = false;
  const end = async () => {
    const ending = thread;
    thread = undefined;
    await (await ending)?.terminate();
  };
  const parseOnce = async (request: ParseRequest): Promise<ThreadAnswer> => {
    try {
      thread ??= startThread(file);
      const answer = await ask(await thread, request, maxMs);
      if (answer.kind === "ended") await end();
      return answer;
    } catch (error) {
      await end().catch(() => undefined);
      return { kind: "ended", reason: `the parser could not start: ${reasonOf(error)}` };
    }
  };
  const parse = async (request: ParseRequest): Promise<ParseAnswer> => {
    for (let attempt = 1; !closed; attempt += 1) {
      const answer = await parseOnce(request);
      if (answer.kind !== "ended") return answer;
      // The failure need not be the fault of the text: the machine may have slept, or earlier texts may have filled the
      // thread's memory.
      if (attempt === maxAttempts && !closed) return { kind: "skipped", reason: answer.reason };
    }
    return { kind: "cancelled" };
  };
  return {
    parse(request) {
      const answer = last.then(() => parse(request));
      last = answer;
      return answer;
    },
    close() {
      closed = true;
      return end();
    },
  };
}

async function startThread(file: string): Promise<Worker> {
  const { Worker: Thread } = await import("node:worker_threads");
  const thread = new Thread(file, {
    env: {},
    execArgv: ["--no-warnings"],
    resourceLimits: { maxOldGenerationSizeMb: maxParserMegabytes, stackSizeMb: 8 },
  });
  // An error between two texts ends the thread. The next text reports it.
  thread.on("error", () => undefined);
  thread.unref();
  return thread;
}

type ThreadAnswer = ParseAnswer | { readonly kind: "ended"; readonly reason: string };

function ask(thread: Worker, request: ParseRequest, maxMs: number): Promise<ThreadAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: ThreadAnswer) => {
      endLimit();
      thread.off("message", settle).off("error", onError).off("exit", onExit);
      thread.unref();
      resolve(answer);
    };
    const ended = (reason: string) => settle({ kind: "ended", reason });
    const onError = (error: unknown) => ended(`the parser failed: ${reasonOf(error)}`);
    const onExit = () => ended("the parser ended");
    const endLimit = limitParse(thread, maxMs, ended);
    thread.ref();
    thread.on("message", settle).on("error", onError).on("exit", onExit);
    thread.postMessage(request);
  });
}

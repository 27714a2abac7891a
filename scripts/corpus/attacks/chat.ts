/** Uses the chat of the real program like a person: types messages, reads the screen, answers questions. */
import type { ChildProcess } from "node:child_process";
import type { Place } from "./place.ts";
import { endGroup, type StartOptions, startProgram } from "./program.ts";
import { createScreen, type Question, type Screen } from "./screen.ts";

export type Answer = "once" | "session" | "remember" | "deny" | "nothing";

/** A question with its full text, its answer, and the time of the answer. */
export interface Asked extends Question {
  /** The text that was shown first, which may be cut. */
  readonly short: string;
  readonly answer: Answer;
  readonly answeredAt: number;
}

export interface ChatOptions extends Omit<StartOptions, "args" | "place"> {
  readonly place: Place;
  readonly baseUrl: string;
  readonly args?: readonly string[];
  /** True if nobody can be asked. The program then answers the first message and ends. */
  readonly headless?: boolean;
  /** The messages to type, each when the chat waits for one. */
  readonly messages: readonly string[];
  answer(question: Question, count: number): Answer;
  /** Called as soon as the program runs. */
  onStart?(child: ChildProcess, screen: Screen): void;
  /** Called before message `index` is typed, from 1 on, because message 0 is on the command line. */
  beforeMessage?(index: number): Promise<void> | void;
  /** Milliseconds after which the chat counts as hanging. */
  readonly limitMs: number;
}

export interface ChatRun {
  readonly screen: string;
  readonly errors: string;
  readonly asked: readonly Asked[];
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly hung: boolean;
  /** The end time of each turn, in milliseconds of `performance.now()`. */
  readonly idleAt: readonly number[];
}

const keys: Readonly<Record<Exclude<Answer, "nothing">, string>> = {
  once: "1",
  session: "2",
  remember: "3",
  deny: "4",
};

/** Runs a chat to its end. Never rejects: a program that hangs is killed, and `hung` is true. */
export async function chat(options: ChatOptions): Promise<ChatRun> {
  const [first = "go", ...further] = options.messages;
  const args = [
    ...(options.headless === true ? ["-p", "--trust"] : ["-i"]),
    "--sandbox",
    options.sandbox,
    "--base-url",
    options.baseUrl,
    "--model",
    "fake-model",
    "--tools",
    "all",
  ];
  const child = startProgram({ ...options, args: [...args, ...(options.args ?? []), first] });
  const screen = createScreen();
  const talk = new Talk(child, screen, options, further);
  options.onStart?.(child, screen);
  if (options.headless === true) child.stdin?.end();
  return await talk.ended();
}

/** A running chat: the questions so far, and the messages that are still to be typed. */
class Talk {
  readonly #child: ChildProcess;
  readonly #screen: Screen;
  readonly #options: ChatOptions;
  readonly #left: string[];
  readonly #asked: Asked[] = [];
  readonly #idleAt: number[] = [];
  #errors = "";
  #short: string | undefined;
  #turns = 0;

  constructor(child: ChildProcess, screen: Screen, options: ChatOptions, left: readonly string[]) {
    this.#child = child;
    this.#screen = screen;
    this.#options = options;
    this.#left = [...left];
    child.stdout?.setEncoding("utf8").on("data", (text: string) => this.#look(text));
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors += text;
      // Without a person, the lines about calls are on the error stream.
      if (this.#options.headless === true) this.#screen.push(text);
    });
    child.stdin?.on("error", () => undefined);
  }

  ended(): Promise<ChatRun> {
    return new Promise((resolve) => {
      let hung = false;
      const timer = setTimeout(() => {
        hung = true;
        endGroup(this.#child);
      }, this.#options.limitMs);
      this.#child.once("close", (code, signal) => {
        clearTimeout(timer);
        endGroup(this.#child);
        const asked = this.#asked;
        const idleAt = this.#idleAt;
        resolve({ screen: this.#screen.text, errors: this.#errors, asked, code, signal, hung, idleAt });
      });
      this.#child.once("error", (error) => {
        this.#errors += String(error);
        this.#child.emit("close", null, null);
      });
    });
  }

  #look(text: string): void {
    this.#screen.push(text);
    if (this.#options.headless === true) return;
    const question = this.#screen.question();
    if (this.#screen.asksForTrust()) {
      this.#screen.answered();
      this.#type("1");
    } else if (question !== undefined) this.#reply(question);
    else if (this.#screen.idle() > this.#turns) void this.#next();
  }

  #reply(question: Question): void {
    this.#screen.answered();
    if (this.#short === undefined && this.#screen.text.slice(-400).includes("(v) shows all")) {
      this.#short = question.text;
      this.#type("v");
      return;
    }
    const answer = this.#options.answer(question, this.#asked.length);
    const short = this.#short ?? question.text;
    this.#short = undefined;
    this.#asked.push({ ...question, short, answer, answeredAt: performance.now() });
    if (answer === "nothing") this.#child.stdin?.end();
    else this.#type(keys[answer]);
  }

  async #next(): Promise<void> {
    this.#turns = this.#screen.idle();
    this.#idleAt.push(performance.now());
    const message = this.#left.shift();
    if (message === undefined) {
      this.#child.stdin?.end(this.#options.terminal === true ? "\u0004" : "");
      return;
    }
    await this.#options.beforeMessage?.(this.#turns);
    this.#screen.answered();
    this.#type(message);
  }

  #type(line: string): void {
    this.#child.stdin?.write(`${line}${this.#options.terminal === true ? "\r" : "\n"}`);
  }
}

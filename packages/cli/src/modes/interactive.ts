/** Runs the chat line by line: prints text and tool calls, and reads messages, answers and commands as lines. */
import type { Session } from "@localharness/engine";
import { attachNamed, type Named } from "@localharness/harness/attachments/attach-named";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { sayHowToComeBack } from "@localharness/harness/host/come-back";
import { createCostMeter } from "@localharness/harness/host/cost-meter";
import type { HostMethods } from "@localharness/harness/host/create-host";
import type { Trust } from "@localharness/harness/trust/settle-trust";
import { reasonOf, type SessionEvent } from "@localharness/protocol";
import type { EarlierSession } from "@localharness/store/sessions/kept-sessions";
import { askFolder } from "../terminal/ask-folder.ts";
import { askForServer } from "../terminal/ask-for-server.ts";
import { askTrust } from "../terminal/ask-trust.ts";
import { type LineSource, openLines } from "../terminal/lines.ts";
import type { AnswerLines } from "../terminal/open-prompt.ts";
import {
  createPaint,
  createTextOutput,
  onReaderGone,
  type Paint,
  type TextOutput,
  wantsColour,
} from "../terminal/output.ts";
import { askPermission } from "../terminal/permission-prompt.ts";
import { plainText, visibleLines } from "../terminal/plain-text.ts";
import { answerQuestions } from "./answer-questions.ts";
import { type AskPermission, answerRequests } from "./answer-requests.ts";
import type { Chat, ChatOptions } from "./chat.ts";
import { type Interrupts, leave, watchInterrupts } from "./interrupts.ts";
import { say } from "./say.ts";
import { showHistory } from "./show-history.ts";
import { showSession } from "./show-session.ts";

/** Runs the chat to its end and returns the exit code. */
export async function runInteractive(options: ChatOptions): Promise<number> {
  const output = createTextOutput(process.stdout);
  const paint = createPaint(wantsColour(process.stdout));
  const lines = openLines({
    input: process.stdin,
    output: process.stdout,
    onInterrupt: () => interrupts.press(),
  });
  onReaderGone(process.stdout, () => process.exit(exitCodes.error));
  let interrupts = watchInterrupts(() => lines.close());
  const tell = (text: string) => output.raw(paint.yellow(folded(`${plainText(text)}\n`)));
  const trust = await settled(options, output, lines, tell).finally(() => interrupts.stop());
  if (trust === "leave") {
    lines.close();
    return exitCodes.done;
  }
  const talk: Talk = { lines, question: undefined, running: false, ended: false };
  const chat = openChat(options, trust, output, paint, talk);
  interrupts = watchInterrupts((count, signal) => {
    // These signals mean that the terminal is gone or the system ends the program, so nobody can press Ctrl-C a second
    // time.
    if (count > 1 || signal === "SIGTERM" || signal === "SIGHUP") leaveChat(chat, lines);
    else pressed(chat, talk);
  });
  for (const line of options.greeting(trust)) output.raw(folded(`${line}\n`));
  if (options.earlier !== undefined) showHistory(chat.session.view(), output, paint);
  try {
    return await converse(chat, talk, interrupts);
  } finally {
    interrupts.stop();
    lines.close();
    try {
      if (process.stdin.isTTY) await sayWhatEnds(chat, options);
    } finally {
      await chat.session.close();
    }
  }
}

/** Settles the trust in the workspace, and then opens the folders beside it. */
async function settled(
  options: ChatOptions,
  output: TextOutput,
  lines: LineSource,
  tell: (text: string) => void,
): Promise<Trust | "leave"> {
  const trust = await options.settleTrust(() => askTrust(options, output, lines), tell);
  if (trust === "leave") return trust;
  try {
    await options.openFolders({ ask: (root) => askFolder(root, output, lines), tell });
    return trust;
  } catch (error) {
    lines.close();
    throw error;
  }
}

async function sayWhatEnds(chat: Chat, { sessions }: ChatOptions): Promise<void> {
  const jobs = await (await chat.methods()).listJobs();
  await sayHowToComeBack(chat.session, sessions, jobs);
}

/** The state that decides what the next line is for: an open question, the running turn, or the next turn. */
interface Talk {
  readonly lines: LineSource;
  question: ((line: string | undefined) => void) | undefined;
  running: boolean;
  /** True if the input has ended. */
  ended: boolean;
}

function openChat(options: ChatOptions, trust: Trust, output: TextOutput, paint: Paint, talk: Talk): Chat {
  const ask: AskPermission = (request, signal) =>
    options.answer !== undefined
      ? Promise.resolve({ answer: options.answer })
      : askPermission(request, output, answersFrom(talk), signal);
  const chatTrust = options.openTrust(trust);
  let itsTrust = trust;
  let meter = createCostMeter("");
  let taskEvents: readonly SessionEvent[] = [];
  const start = (earlier?: EarlierSession): Session => {
    itsTrust = chatTrust.get();
    const session = options.newSession(itsTrust, earlier);
    taskEvents = followTasks(session, earlier?.events);
    const fresh = createCostMeter("");
    meter = fresh;
    session.subscribe((event) => fresh.take(event));
    showSession(session, output, paint);
    answerRequests(session, ask);
    answerQuestions(session, (question, signal) => askForServer(question, output, answersFrom(talk), signal));
    return session;
  };
  let methods: Promise<HostMethods> | undefined;
  const chat: Chat = {
    options,
    methods() {
      const current = { session: () => chat.session, meter: () => meter, trust: () => itsTrust };
      methods ??= options.openMethods(chatTrust, current);
      return methods;
    },
    taskEvents: () => taskEvents,
    output,
    paint,
    commands: options.commands(trust),
    session: start(options.earlier),
    leaving: false,
    async startOver(earlier) {
      await chatTrust.renew();
      const remarks = await options.beginFolders(earlier);
      void chat.session.close();
      const mode = chatTrust.nextMode(chat.session.mode());
      chat.session = start(earlier);
      chat.commands = options.commands(itsTrust);
      chat.session.send({ type: "set-mode", mode });
      if (earlier !== undefined) showHistory(chat.session.view(), output, paint);
      for (const remark of remarks) say(chat, visibleLines(remark));
    },
  };
  return chat;
}

function followTasks(session: Session, earlier: readonly SessionEvent[] = []): readonly SessionEvent[] {
  const isOfTasks = (event: SessionEvent) => "toolName" in event && /_tasks?$/.test(event.toolName);
  const events = earlier.filter(isOfTasks);
  session.subscribe((event) => {
    if (isOfTasks(event)) events.push(event);
  });
  return events;
}

function answersFrom(talk: Talk): AnswerLines {
  return {
    settle: (signal) => talk.lines.settle(signal),
    next: (signal) => nextAnswer(talk, signal),
  };
}

/** Returns the next line as the answer to a question; undefined if `signal` aborts or the input has ended. */
function nextAnswer(talk: Talk, signal?: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const settle = (line: string | undefined) => {
      if (talk.question === settle) talk.question = undefined;
      resolve(line);
    };
    if (signal?.aborted || talk.ended) return settle(undefined);
    signal?.addEventListener("abort", () => settle(undefined), { once: true });
    talk.question = settle;
  });
}

async function converse(chat: Chat, talk: Talk, interrupts: Interrupts): Promise<number> {
  let message: string | undefined = chat.options.firstMessage;
  for (;;) {
    interrupts.reset();
    if (message.trim() !== "") await takeLine(chat, talk, message);
    if (chat.leaving) return exitCodes.done;
    interrupts.settle();
    chat.output.endLine();
    chat.output.raw(chat.paint.bold("> "));
    message = await readMessage(talk.lines);
    if (message === undefined) return exitCodes.done;
  }
}

/**
 * Reads one message; returns undefined at the end of input. A line that ends in a backslash continues on the next line.
 * A paste of several lines is one message, unless it begins with a slash.
 */
async function readMessage(lines: LineSource): Promise<string | undefined> {
  const parts: string[] = [];
  for (;;) {
    const line = await lines.next();
    if (line === undefined) return parts.length === 0 ? undefined : parts.join("\n");
    const message = await withPasted(lines, line);
    if (message.includes("\n") || !line.endsWith("\\")) return [...parts, message].join("\n");
    parts.push(line.slice(0, -1));
  }
}

/** Returns the line with the rest of the paste that it came with. A line that begins with a slash is a message alone. */
async function withPasted(lines: LineSource, line: string, signal?: AbortSignal): Promise<string> {
  return line.startsWith("/") ? line : [line, ...(await lines.pasted(signal))].join("\n");
}

async function takeLine(chat: Chat, talk: Talk, message: string): Promise<void> {
  const wanted = await runSlash(chat, message);
  if (wanted !== undefined) await runTurn(chat, talk, wanted, await attached(chat, message));
}

function attached(chat: Chat, message: string): Promise<Named> {
  const tell = (text: string) => chat.output.raw(chat.paint.yellow(`! ${plainText(text)}\n`));
  return attachNamed(message, () => chat.methods(), tell);
}

/** Runs a turn. Lines typed meanwhile answer a question, run a command, or are sent to the model. */
async function runTurn(chat: Chat, talk: Talk, message: string, named: Named): Promise<void> {
  const over = new AbortController();
  talk.running = true;
  const turn = chat.session.prompt(message, named.images, undefined, named.files).finally(() => {
    talk.running = false;
    over.abort();
  });
  while (talk.running) {
    const line = await talk.lines.next(over.signal);
    if (line === undefined) {
      // After the end of input the turn still runs to its end, but nobody can answer its questions.
      talk.ended = talk.running;
      if (talk.ended && chat.options.answer === undefined) chat.session.leaveUnanswered();
      talk.question?.(undefined);
      break;
    }
    if (talk.question !== undefined) {
      talk.question(line);
      // Lines that arrived together with the answer are for the question, not for the turn.
      await new Promise((resolve) => setImmediate(resolve));
    } else if (line.trim() !== "") {
      const sent = await withPasted(talk.lines, line, over.signal);
      // The turn has ended meanwhile, so this is the next message, perhaps without its last line.
      if (!talk.running) talk.lines.unread(sent);
      else await sendToTurn(chat, sent);
    }
  }
  await turn;
}

/**
 * Runs the command that a line names and returns undefined, or the message for the model if it has one. Returns any other line,
 * such as one that begins with a path, as it is. Prints the error of a command that fails. Never rejects.
 */
async function runSlash(chat: Chat, line: string): Promise<string | undefined> {
  if (!line.startsWith("/")) return line;
  try {
    const { runChatCommand } = await import("./chat-commands.ts");
    return await runChatCommand(chat, line);
  } catch (error) {
    say(chat, visibleLines(reasonOf(error)));
    return undefined;
  }
}

async function sendToTurn(chat: Chat, message: string): Promise<void> {
  const wanted = await runSlash(chat, message);
  if (wanted !== undefined) steer(chat, wanted, await attached(chat, message));
}

function steer(chat: Chat, line: string, named: Named): void {
  chat.session.send({ type: "user-message", content: line, ...named });
  chat.output.endLine();
  chat.output.raw(chat.paint.dim("(the model gets this before its next step)\n"));
}

function leaveChat(chat: Chat, lines: LineSource): void {
  chat.session.send({ type: "interrupt" });
  lines.close();
  leave(chat.options.endChildren);
}

function pressed(chat: Chat, talk: Talk): void {
  chat.output.endLine();
  if (talk.running) chat.session.send({ type: "interrupt" });
  chat.output.raw(
    chat.paint.yellow(talk.running ? "interrupting; Ctrl-C again leaves\n" : "Ctrl-C again leaves\n"),
  );
}

/** The chat, line by line: what the model says, what it does, and what the person answers, on one screen. */
import type { Session } from "@localharness/engine";
import type { CustomCommands } from "@localharness/harness/custom-commands/load-commands";
import { exitCodes } from "@localharness/harness/exit-code";
import { createCostMeter } from "@localharness/harness/host/cost-meter";
import type { Current, HostMethods } from "@localharness/harness/host/create-host";
import type { Trust, TrustAnswer } from "@localharness/harness/trust/settle-trust";
import type { PermissionAnswer, SessionEvent } from "@localharness/protocol";
import type { EarlierSession, KeptSessions } from "@localharness/store/sessions/kept-sessions";
import type { Undo } from "@localharness/store/undo/undo-changes";
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
import { plainText } from "../terminal/plain-text.ts";
import { type AskPerson, answerRequests } from "./answer-requests.ts";
import { isChatCommand, runChatCommand } from "./chat-commands.ts";
import { type Interrupts, leave, watchInterrupts } from "./interrupts.ts";
import { showHistory } from "./show-history.ts";
import { showSession } from "./show-session.ts";

export interface ChatOptions {
  /** Real path. */
  readonly workspace: string;
  /** Whether the folder is trusted, asked with `ask` where nothing is known. */
  settleTrust(ask: () => Promise<TrustAnswer>, tell: (text: string) => void): Promise<Trust | "leave">;
  /** A session with an empty transcript, or an earlier one; called again for /new and /resume. */
  newSession(trust: Trust, earlier?: EarlierSession): Session;
  /** Undefined when none are kept. */
  readonly sessions: KeptSessions | undefined;
  /** The one to begin with; undefined: a new one. */
  readonly earlier: EarlierSession | undefined;
  /** Lines for the person above the first prompt. */
  readonly greeting: readonly string[];
  readonly firstMessage: string;
  readonly answer: PermissionAnswer | undefined;
  /** The tree of the workspace, for /files. */
  listTree(): Promise<string>;
  /** Those that the person or a trusted project has written. */
  commands(trust: Trust): CustomCommands;
  /** What may be asked of the program about the session of now; loaded when first wanted. */
  openMethods(trust: Trust, current: Current): Promise<HostMethods>;
  /** Takes back what tools have changed, for /undo and /redo. */
  openUndo(): Promise<Undo>;
  /** Ends what tools have started, within 2 s. */
  endChildren(): Promise<void>;
}

export interface Chat {
  readonly options: ChatOptions;
  readonly output: TextOutput;
  readonly paint: Paint;
  readonly commands: CustomCommands;
  session: Session;
  methods(): Promise<HostMethods>;
  /** What became of the model's tasks, from the beginning of the session on. */
  taskEvents(): readonly SessionEvent[];
  /** True from /quit on. */
  leaving: boolean;
  /** Leaves this session for a new one, or for an earlier one. */
  startOver(earlier?: EarlierSession): void;
}

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
  const trust = await options.settleTrust(
    () => askTrust(options.workspace, output, lines),
    (text) => output.raw(paint.yellow(`${plainText(text)}\n`)),
  );
  interrupts.stop();
  if (trust === "leave") {
    lines.close();
    return exitCodes.done;
  }
  const talk: Talk = { lines, question: undefined, running: false, ended: false };
  const chat = openChat(options, trust, output, paint, talk);
  interrupts = watchInterrupts((count, signal) => {
    // Nobody is there to press again: the terminal is gone, or the system wants the program to end.
    if (count > 1 || signal === "SIGTERM" || signal === "SIGHUP") leaveChat(chat, lines);
    else pressed(chat, talk);
  });
  for (const line of options.greeting) output.raw(`${line}\n`);
  if (options.earlier !== undefined) showHistory(chat.session.view(), output, paint);
  try {
    return await converse(chat, talk, interrupts);
  } finally {
    interrupts.stop();
    lines.close();
    await chat.session.close();
  }
}

/** Who gets the next line: a question that is open, the turn that runs, or the next turn. */
interface Talk {
  readonly lines: LineSource;
  question: ((line: string | undefined) => void) | undefined;
  running: boolean;
  /** No line will come any more. */
  ended: boolean;
}

function openChat(options: ChatOptions, trust: Trust, output: TextOutput, paint: Paint, talk: Talk): Chat {
  const ask: AskPerson = (request, signal) =>
    options.answer !== undefined
      ? Promise.resolve({ answer: options.answer })
      : askPermission(request, output, answersFrom(talk), signal);
  let meter = createCostMeter("");
  let taskEvents: readonly SessionEvent[] = [];
  const start = (earlier?: EarlierSession): Session => {
    const session = options.newSession(trust, earlier);
    taskEvents = followTasks(session, earlier?.events);
    const fresh = createCostMeter("");
    meter = fresh;
    session.subscribe((event) => fresh.take(event));
    showSession(session, output, paint);
    answerRequests(session, ask);
    return session;
  };
  let methods: Promise<HostMethods> | undefined;
  const chat: Chat = {
    options,
    methods() {
      methods ??= options.openMethods(trust, { session: () => chat.session, meter: () => meter });
      return methods;
    },
    taskEvents: () => taskEvents,
    output,
    paint,
    commands: options.commands(trust),
    session: start(options.earlier),
    leaving: false,
    startOver(earlier) {
      void chat.session.close();
      const mode = chat.session.mode();
      chat.session = start(earlier);
      chat.session.send({ type: "set-mode", mode });
      if (earlier !== undefined) showHistory(chat.session.view(), output, paint);
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

/** Undefined when the question is void, or nobody is there to answer. */
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

/** One message; a line that ends in a backslash goes on in the next, and what is pasted is one message. */
async function readMessage(lines: LineSource): Promise<string | undefined> {
  const parts: string[] = [];
  for (;;) {
    const line = await lines.next();
    if (line === undefined) return parts.length === 0 ? undefined : parts.join("\n");
    const pasted = line.startsWith("/") ? [] : lines.pasted();
    if (pasted.length > 0) return [...parts, line, ...pasted].join("\n");
    if (!line.endsWith("\\")) return [...parts, line].join("\n");
    parts.push(line.slice(0, -1));
  }
}

async function takeLine(chat: Chat, talk: Talk, message: string): Promise<void> {
  const wanted = await runSlash(chat, message);
  if (wanted !== undefined) await runTurn(chat, talk, wanted);
}

/** Runs a turn; what is typed meanwhile answers a question, is a command, or steers the turn. */
async function runTurn(chat: Chat, talk: Talk, message: string): Promise<void> {
  const over = new AbortController();
  talk.running = true;
  const turn = chat.session.prompt(message).finally(() => {
    talk.running = false;
    over.abort();
  });
  while (talk.running) {
    const line = await talk.lines.next(over.signal);
    if (line === undefined) {
      // The turn goes on to its end; what it asks later has no answer either.
      talk.ended = talk.running;
      if (talk.ended && chat.options.answer === undefined) chat.session.leaveUnanswered();
      talk.question?.(undefined);
      break;
    }
    if (talk.question !== undefined) {
      talk.question(line);
      // Lines that came along are for the question to judge, not for the turn.
      await new Promise((resolve) => setImmediate(resolve));
    } else if (line.trim() !== "") {
      const wanted = await runSlash(chat, line);
      if (wanted !== undefined) steer(chat, wanted);
    }
  }
  await turn;
}

/** Runs a command of the program; gives the message that any other line stands for. */
async function runSlash(chat: Chat, line: string): Promise<string | undefined> {
  if (!line.startsWith("/")) return line;
  if (!isChatCommand(line)) {
    const message = await chat.commands.expandLine(line);
    if (message !== line) return message;
  }
  await runChatCommand(chat, line);
  return undefined;
}

function steer(chat: Chat, line: string): void {
  chat.session.send({ type: "user-message", content: line });
  chat.output.endLine();
  chat.output.raw(chat.paint.dim("(taken in before the next step)\n"));
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

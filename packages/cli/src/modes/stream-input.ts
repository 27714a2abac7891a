/** Lets another program drive a session: reads commands as JSON lines from stdin and writes events as JSON lines to stdout. */
import { StringDecoder } from "node:string_decoder";
import type { Session } from "@localharness/engine";
import { exitCodeOf, exitCodes } from "@localharness/harness/exit-code";
import { createLineDecoder, type DecodedLine, readCommand } from "@localharness/protocol";
import { type AskPermission, answerRequests } from "./answer-requests.ts";
import { leave, watchInterrupts } from "./interrupts.ts";
import { createEventWriter } from "./stream-json.ts";
import type { TimeLimit } from "./time-limit.ts";

export interface DrivenSession {
  readonly session: Session;
  /** The message of the first turn; empty to start no turn. */
  readonly message: string;
  /** Returns true if the current model accepts images; undefined if that is unknown. */
  canSee(): boolean | undefined;
  /** Answers permission requests in place of the sender of commands; undefined if the sender answers them. */
  readonly ask: AskPermission | undefined;
  readonly limit: TimeLimit;
  endChildren(): Promise<void>;
}

/** A line on stdout that reports a refused input line. It is not an event of the session, so its `seq` is 0. */
export interface InputError {
  readonly type: "input-error";
  readonly sessionId: string;
  readonly turnId: "";
  readonly seq: 0;
  readonly message: string;
  /** The beginning of the refused line, at most 200 characters. */
  readonly line: string;
}

/** Runs commands until the input ends or something stops the run. Returns the exit code of the stop, or of the last turn. */
export async function runStreamInput(driven: DrivenSession): Promise<number> {
  const { session, message, ask, limit, endChildren } = driven;
  const stopped = Promise.withResolvers<number>();
  const stop = (code: number) => {
    stopped.resolve(code);
    void session.close();
  };
  const writer = createEventWriter(() => stop(exitCodes.error));
  writer.follow(session);
  if (ask !== undefined) answerRequests(session, ask);
  const requests = followRequests(session);
  const lastCode = followEnds(session);
  // Ctrl-C is watched until the exit. A second Ctrl-C while the session closes ends the child processes, then the program.
  watchInterrupts((count) => {
    stop(exitCodes.interrupted);
    if (count > 1) leave(endChildren);
  });
  limit.onExpiry(() => stop(exitCodes.timeout), endChildren);
  if (message !== "") session.send({ type: "user-message", content: message });

  const input = readLines((decoded) => {
    const problem = take(decoded, driven, requests);
    if (problem === undefined) return;
    const line = (decoded.ok ? (JSON.stringify(decoded.value) ?? "") : decoded.line).slice(0, 200);
    const error: InputError = {
      type: "input-error",
      sessionId: session.id,
      turnId: "",
      seq: 0,
      message: problem,
      line,
    };
    writer.write(error);
  });
  await Promise.race([input.ended, stopped.promise]);
  // After the end of input nobody can answer a permission request, unless `--answer` does.
  if (ask === undefined) session.leaveUnanswered();
  await session.idle();
  input.stop();
  // A run that was stopped has the exit code of its signal or time limit, even if the input had already ended.
  return Promise.race([stopped.promise, lastCode()]);
}

/** Sends the command in a line to the session. Returns an error message if the line is refused. */
function take(
  decoded: DecodedLine,
  { session, canSee }: DrivenSession,
  requests: Requests,
): string | undefined {
  if (!decoded.ok) return `the line is not JSON: ${decoded.message}`;
  const read = readCommand(decoded.value);
  if (!read.ok) return read.message;
  const { command } = read;
  if (command.type === "permission-answer" && !requests.isOpen(command.requestId)) {
    return `no request ${JSON.stringify(command.requestId.slice(0, 80))} is open: it was already answered, or never made`;
  }
  if (command.type === "user-message" && command.images !== undefined && canSee() === false) {
    return "the model sees no images: send the message without them, or start with another model";
  }
  session.send(command);
  return undefined;
}

interface Requests {
  isOpen(requestId: string): boolean;
}

function followRequests(session: Session): Requests {
  const open = new Set<string>();
  session.subscribe((event) => {
    if (event.type === "permission-answer") open.delete(event.requestId);
    if (event.type === "permission-request") open.add(event.request.requestId);
  });
  return { isOpen: (requestId) => open.has(requestId) };
}

/** Returns a function that returns the exit code of the last turn; 0 before the first turn has ended. */
function followEnds(session: Session): () => number {
  let code: number = exitCodes.done;
  session.subscribe((event) => {
    if (event.type === "turn-end") code = exitCodeOf(event);
    // A turn that failed to begin has no turn-end event.
    if (event.type === "notice" && event.code === "internal-error") code = exitCodes.error;
  });
  return () => code;
}

interface Input {
  /** Resolves at the end of stdin. */
  readonly ended: Promise<void>;
  stop(): void;
}

function readLines(take: (line: DecodedLine) => void): Input {
  const { stdin } = process;
  const text = new StringDecoder("utf8");
  const lines = createLineDecoder();
  const ended = new Promise<void>((resolve) => {
    const finish = () => {
      for (const line of [...lines.push(text.end()), ...lines.end()]) take(line);
      resolve();
    };
    stdin.on("data", (piece: Buffer) => {
      for (const line of lines.push(text.write(piece))) take(line);
    });
    stdin.once("end", finish);
    // A read error counts as the end of the input.
    stdin.once("error", finish);
  });
  return { ended, stop: () => stdin.destroy() };
}

/** The program as the child of another: commands as lines of JSON on stdin, events as lines of JSON on stdout. */
import { StringDecoder } from "node:string_decoder";
import type { Session } from "@localharness/engine";
import { exitCodeOf, exitCodes } from "@localharness/harness/exit-code";
import { createLineDecoder, type DecodedLine, readCommand } from "@localharness/protocol";
import { type AskPerson, answerRequests } from "./answer-requests.ts";
import { leave, watchInterrupts } from "./interrupts.ts";
import { createEventWriter } from "./stream-json.ts";
import type { TimeLimit } from "./time-limit.ts";

export interface DrivenSession {
  readonly session: Session;
  /** Begins the first turn; `""` for none. */
  readonly message: string;
  /** Of the model in use; undefined when nobody knows. */
  canSee(): boolean | undefined;
  /** Answers in place of whoever sends the commands. */
  readonly ask: AskPerson | undefined;
  readonly limit: TimeLimit;
  endChildren(): Promise<void>;
}

/** A line on stdout that is no event of the session: what came in could not be taken. `seq` 0 is folded by nobody. */
export interface InputError {
  readonly type: "input-error";
  readonly sessionId: string;
  readonly turnId: "";
  readonly seq: 0;
  readonly message: string;
  /** The beginning of what came. */
  readonly line: string;
}

/** Takes commands until the end of input, waits until the session rests, and returns the exit code of the last turn. */
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
  // Not stopped: a second press while the program closes is to leave in order, too.
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
  // A stated answer holds for what is asked after the end of input as well.
  if (ask === undefined) session.leaveUnanswered();
  await session.idle();
  input.stop();
  // What was stopped, also after the end of the input, has the code of what stopped it.
  return Promise.race([stopped.promise, lastCode()]);
}

/** Hands a line to the session; what is wrong with it when it cannot be. */
function take(
  decoded: DecodedLine,
  { session, canSee }: DrivenSession,
  requests: Requests,
): string | undefined {
  if (!decoded.ok) return `a line that is not JSON: ${decoded.message}`;
  const read = readCommand(decoded.value);
  if (!read.ok) return read.message;
  const { command } = read;
  if (command.type === "permission-answer" && !requests.isOpen(command.requestId))
    return `no request ${JSON.stringify(command.requestId.slice(0, 80))} is open: it was answered, or never asked`;
  if (command.type === "user-message" && command.images !== undefined && canSee() === false)
    return "the model sees no images: send the message without them, or begin with another model";
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

/** The exit code of the last turn, 0 before there was one. */
function followEnds(session: Session): () => number {
  let code: number = exitCodes.done;
  session.subscribe((event) => {
    if (event.type === "turn-end") code = exitCodeOf(event);
    // A turn that could not begin has no end.
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
    // What cannot be read any more has ended.
    stdin.once("error", finish);
  });
  return { ended, stop: () => stdin.destroy() };
}

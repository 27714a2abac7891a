/**
 * Runs each call of another machine at most once. A call goes on when the connection breaks. If the sender sends the call
 * again, the sender gets its progress, its open question or its result.
 */
import { createHash } from "node:crypto";
import { refusal, systemClock } from "@localharness/engine";
import type { Access, SentCallMark } from "@localharness/mcp/server";
import type { JsonObject, PermissionAnswer, PermissionRequest, ToolResult } from "@localharness/protocol";
import { reasonOf } from "@localharness/protocol";
import type { CallLog } from "@localharness/store/lent/call-log";

export interface OnceCall {
  readonly mark: SentCallMark;
  readonly name: string;
  readonly arguments: JsonObject;
  /** True for a call that changes nothing: it may run again after a restart. */
  readonly readOnly: boolean;
}

export interface RunOnce {
  /**
   * Starts the call, or joins it if it was sent before. Resolves to its result, or to an error result if the id belongs to
   * another call, if it is not known how the call ended, or if its beginning cannot be recorded.
   */
  run(call: OnceCall, access: Access, start: (lasting: Access) => Promise<ToolResult>): Promise<ToolResult>;
  /** Ends a running call. */
  stop(id: string): void;
  /** Ends all running calls, and resolves when their results are recorded. */
  close(): Promise<void>;
}

interface Running {
  readonly hash: string;
  readonly stop: AbortController;
  readonly result: Promise<ToolResult>;
  /** The connection that has sent the call last. */
  access: Access;
  question: { readonly request: PermissionRequest; settle(answer: PermissionAnswer): void } | undefined;
}

/** The time that a question without a connection waits for the sender to come back. */
const awayMs = 60_000;
/** The maximum number of results of reading calls that are kept, in case a call is sent again. */
const maxResults = 500;

export function createRunOnce(log: CallLog): RunOnce {
  const running = new Map<string, Running>();
  const reads = new Map<string, { readonly hash: string; readonly result: ToolResult }>();

  function begin(
    call: OnceCall,
    hash: string,
    access: Access,
    start: (lasting: Access) => Promise<ToolResult>,
  ) {
    const { id } = call.mark;
    const stop = new AbortController();
    const done = Promise.withResolvers<ToolResult>();
    const one: Running = { hash, stop, result: done.promise, access, question: undefined };
    running.set(id, one);
    const finish = (result: ToolResult) => {
      if (call.readOnly) keepRead(id, { hash, result });
      else record(log, id, result);
      running.delete(id);
      done.resolve(result);
    };
    start(lastingAccess(one, call.mark)).then(finish, (error: unknown) =>
      finish(refusal("internal_error", reasonOf(error), systemClock)),
    );
    return done.promise;
  }

  function keepRead(id: string, read: { readonly hash: string; readonly result: ToolResult }): void {
    reads.set(id, read);
    const [oldest] = reads.keys();
    if (reads.size > maxResults && oldest !== undefined) reads.delete(oldest);
  }

  return {
    async run(call, access, start) {
      const { id } = call.mark;
      const hash = hashOf(call);
      const now = running.get(id);
      const known = now ?? reads.get(id) ?? log.find(id);
      if (known === "forgotten") return refusal("internal_error", unknownText, systemClock);
      if (known !== undefined && known.hash !== hash) {
        return refusal("validation_failed", `the call id ${id} belongs to another call`, systemClock);
      }
      if (now !== undefined) {
        join(now, access);
        return await now.result;
      }
      if (known !== undefined && "result" in known) return known.result as ToolResult;
      if (known !== undefined) return refusal("internal_error", unknownText, systemClock);
      if (!call.readOnly) {
        try {
          log.begin(id, hash);
        } catch (error) {
          return refusal(
            "io_error",
            `not run: the call could not be recorded (${reasonOf(error)})`,
            systemClock,
          );
        }
      }
      return await begin(call, hash, access, start);
    },
    stop: (id) => running.get(id)?.stop.abort(),
    async close() {
      const all = [...running.values()];
      for (const { stop } of all) stop.abort();
      await Promise.all(all.map(({ result }) => result));
    },
  };
}

/** The text for a call of which it is not known whether it ran to its end. */
export const unknownText =
  "outcome unknown: the other machine's program ended while this call ran, so it may have been done in part or in full. Look before you do it again";

function hashOf({ name, arguments: args }: OnceCall): string {
  return createHash("sha256")
    .update(JSON.stringify([name, args]))
    .digest("hex");
}

function record(log: CallLog, id: string, result: ToolResult): void {
  try {
    log.end(id, result);
  } catch {
    // Without the record a later repetition is told that the outcome is unknown.
  }
}

/** Passes the progress and the open question of a running call to the connection that has sent the call again. */
function join(one: Running, access: Access): void {
  one.access = access;
  if (one.question !== undefined) putQuestion(one, access);
}

/** Returns the access with which a call runs. It uses the connection that has sent the call last. */
function lastingAccess(one: Running, call: SentCallMark): Access {
  return {
    call,
    signal: one.stop.signal,
    report: (text) => one.access.report?.(text),
    ask: (request, signal) =>
      new Promise((resolve) => {
        const settle = (answer: PermissionAnswer) => {
          one.question = undefined;
          resolve(answer);
        };
        signal.addEventListener("abort", () => settle("deny"), { once: true });
        one.question = { request, settle };
        putQuestion(one, one.access);
      }),
  };
}

/**
 * Puts the open question of a call over this connection; denies it if nobody can be asked there. If the connection breaks
 * before the answer, the question waits for the sender to come back, and is denied after `awayMs`.
 */
function putQuestion(one: Running, access: Access): void {
  const { question } = one;
  if (question === undefined) return;
  if (access.ask === undefined) {
    question.settle("deny");
    return;
  }
  const isOpen = () => one.question === question;
  void access.ask(question.request, access.signal).then((answer) => {
    if (!isOpen()) return;
    if (!access.signal.aborted) return question.settle(answer);
    const giveUp = () => {
      if (isOpen() && one.access === access) question.settle("deny");
    };
    setTimeout(giveUp, awayMs).unref();
  });
}

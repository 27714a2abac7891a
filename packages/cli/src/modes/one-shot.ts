/** Answers one message unattended. Handles Ctrl-C, a time limit, and a schema for the answer. */
import type { Session, TurnEnd } from "@localharness/engine";
import type { AnswerSchema } from "@localharness/harness/answer-schema/answer-schema";
import { exitCodeOf, exitCodes, isCutShort } from "@localharness/harness/exit-code";
import type { RunOutcome } from "@localharness/harness/run-result";
import type { AttachedFile, ImageContent, View } from "@localharness/protocol";
import { defined } from "@localharness/protocol";
import { type AskPermission, answerRequests } from "./answer-requests.ts";
import { leave, watchInterrupts } from "./interrupts.ts";
import type { TimeLimit } from "./time-limit.ts";

export interface OneShot {
  readonly session: Session;
  readonly message: string;
  /** Images sent with the message. */
  readonly images?: readonly ImageContent[];
  /** Files sent with the message. */
  readonly files?: readonly AttachedFile[];
  readonly ask: AskPermission | undefined;
  /** Ends the child processes of tools within 2 s. */
  endChildren(): Promise<void>;
  readonly limit?: TimeLimit;
  readonly schema?: AnswerSchema;
}

/**
 * Runs the turn, and a second turn if the answer does not follow the schema. The first Ctrl-C interrupts the turn; the
 * second exits.
 */
export async function runOneShot(shot: OneShot): Promise<RunOutcome> {
  const { session, ask, endChildren, limit } = shot;
  const interrupt = () => session.send({ type: "interrupt" });
  const stopAnswering = ask === undefined ? () => undefined : answerRequests(session, ask);
  // Nothing stops this watch, so a second press while the program closes also ends child processes before the exit.
  watchInterrupts((count) => {
    if (count === 1) interrupt();
    else leave(endChildren);
  });
  limit?.onExpiry(interrupt, endChildren);
  try {
    const outcome = await answered(shot);
    if (limit?.expired !== true) return outcome;
    return { exitCode: exitCodes.timeout, reason: "timeout", answer: outcome.answer };
  } finally {
    stopAnswering();
  }
}

async function answered({ session, message, images, files, schema, limit }: OneShot): Promise<RunOutcome> {
  const first = `${message}${schema === undefined ? "" : `\n\n${schema.instruction}`}`;
  // An interrupt that was sent before a turn does not stop that turn, so no turn may begin after the time limit.
  let end =
    limit?.expired === true
      ? interruptedEnd
      : await session.prompt(first, images, schema && { schema: schema.schema }, files);
  if (schema === undefined || end.reason !== "done") return outcomeOf(session, end);
  let checked = schema.check(finalAnswer(session.view()));
  let denied = end.denied;
  if (!checked.ok && limit?.expired !== true) {
    // A server can enforce the schema only in a request without tools, so the second request has no tools.
    const answer = { schema: schema.schema, withoutTools: true };
    end = await session.prompt(schema.askAgain(checked.problem), [], answer);
    denied += end.denied;
    if (end.reason !== "done") return outcomeOf(session, end);
    checked = schema.check(finalAnswer(session.view()));
  }
  const outcome = outcomeOf(session, { ...end, denied });
  if (checked.ok) {
    // An answer that follows the schema is whole, however it ended.
    const { code: _cut, ...whole } = end;
    return { ...outcomeOf(session, { ...whole, denied }), value: checked.value };
  }
  const problem = `the answer does not follow the schema, even after a second request: ${checked.problem}`;
  return { ...outcome, exitCode: exitCodes.schema, reason: "schema", message: problem };
}

const interruptedEnd: TurnEnd = { type: "turn-end", reason: "interrupted", denied: 0 };

function outcomeOf(session: Session, end: TurnEnd): RunOutcome {
  const { reason, message, code } = end;
  return {
    exitCode: exitCodeOf(end),
    reason: isCutShort(end) ? "cut" : reason,
    answer: end.plan ?? finalAnswer(session.view()),
    ...defined({ message, code }),
  };
}

/** Returns the final answer; empty if the model has not answered the last message or has answered with tool calls. */
function finalAnswer(view: Pick<View, "messages">): string {
  const last = view.messages.findLast(
    (message) => message.role !== "display" && !(message.role === "user" && message.from === "harness"),
  );
  if (last?.role !== "assistant" || (last.toolCalls?.length ?? 0) > 0) return "";
  return last.content;
}

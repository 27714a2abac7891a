/** One message answered without anybody watching: under Ctrl-C, a time limit, and a schema for the answer. */
import type { Session, TurnEnd } from "@localharness/engine";
import { exitCodeOf, exitCodes } from "@localharness/harness/exit-code";
import type { ImageContent, JsonValue } from "@localharness/protocol";
import type { AnswerSchema } from "../answer-schema/answer-schema.ts";
import { type AskPerson, answerRequests } from "./answer-requests.ts";
import { finalAnswer } from "./final-answer.ts";
import { leave, watchInterrupts } from "./interrupts.ts";
import type { TimeLimit } from "./time-limit.ts";

export interface OneShot {
  readonly session: Session;
  readonly message: string;
  /** They go along with the message. */
  readonly images?: readonly ImageContent[];
  readonly ask: AskPerson | undefined;
  /** Ends what tools have started, within 2 s. */
  endChildren(): Promise<void>;
  readonly limit?: TimeLimit;
  readonly schema?: AnswerSchema;
}

export interface Outcome {
  readonly exitCode: number;
  readonly reason: TurnEnd["reason"] | "timeout" | "schema";
  /** The model's last words; `""` when it ended with none. */
  readonly answer: string;
  /** The answer as JSON, where a schema was given and it follows it. */
  readonly value?: JsonValue;
  /** What went wrong, for the person. */
  readonly message?: string;
  readonly code?: string;
}

/** Runs the turn, and one more when the answer does not follow the schema. The first Ctrl-C interrupts, the second leaves at once. */
export async function runOneShot(shot: OneShot): Promise<Outcome> {
  const { session, ask, endChildren, limit } = shot;
  const interrupt = () => session.send({ type: "interrupt" });
  const stopAnswering = ask === undefined ? () => undefined : answerRequests(session, ask);
  // Not stopped: a second press while the program closes is to leave in order, too.
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

async function answered({ session, message, images, schema, limit }: OneShot): Promise<Outcome> {
  const first = `${message}${schema === undefined ? "" : `\n\n${schema.instruction}`}`;
  // A session that begins after the time is over would take no notice of the interrupt that came before.
  let end =
    limit?.expired === true
      ? interruptedEnd
      : await session.prompt(first, images, schema && { schema: schema.schema });
  if (schema === undefined || end.reason !== "done") return outcomeOf(session, end);
  let checked = schema.check(finalAnswer(session.view()));
  let denied = end.denied;
  if (!checked.ok && limit?.expired !== true) {
    // Without tools a server can hold the model to the schema.
    const answer = { schema: schema.schema, withoutTools: true };
    end = await session.prompt(schema.askAgain(checked.problem), [], answer);
    denied += end.denied;
    if (end.reason !== "done") return outcomeOf(session, end);
    checked = schema.check(finalAnswer(session.view()));
  }
  const outcome = outcomeOf(session, { ...end, denied });
  if (checked.ok) return { ...outcome, value: checked.value };
  const problem = `the answer does not follow the schema, also when asked again: ${checked.problem}`;
  return { ...outcome, exitCode: exitCodes.schema, reason: "schema", message: problem };
}

const interruptedEnd: TurnEnd = { type: "turn-end", reason: "interrupted", denied: 0 };

function outcomeOf(session: Session, end: TurnEnd): Outcome {
  const { reason, message, code } = end;
  return {
    exitCode: exitCodeOf(end),
    reason,
    answer: finalAnswer(session.view()),
    ...(message === undefined ? {} : { message }),
    ...(code === undefined ? {} : { code }),
  };
}

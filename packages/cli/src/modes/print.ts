/** Answers one message: the model's text on stdout, everything else on stderr. */
import type { Session } from "@localharness/engine";
import { createPaint, createTextOutput, onReaderGone, wantsColour } from "../terminal/output.ts";
import { eventLine } from "../terminal/tool-lines.ts";
import { type AskPerson, answerRequests } from "./answer-requests.ts";
import { exitCodeOf, exitCodes } from "./exit-code.ts";
import { leave, watchInterrupts } from "./interrupts.ts";

export interface OneShot {
  readonly session: Session;
  readonly message: string;
  readonly ask: AskPerson | undefined;
  /** Ends what tools have started, within 2 s. */
  endChildren(): Promise<void>;
}

/** Runs one turn and returns the exit code. */
export async function runPrint(shot: OneShot): Promise<number> {
  showOneShot(shot.session);
  const readerGone = { yes: false };
  onReaderGone(process.stdout, () => {
    readerGone.yes = true;
    shot.session.send({ type: "interrupt" });
  });
  const code = await runOneTurn(shot);
  return readerGone.yes ? exitCodes.error : code;
}

/** Runs the turn under Ctrl-C: the first interrupts it, the second leaves at once. */
export async function runOneTurn({ session, message, ask, endChildren }: OneShot): Promise<number> {
  const stopAnswering = ask === undefined ? () => undefined : answerRequests(session, ask);
  // Not stopped: a second press while the program closes is to leave in order, too.
  watchInterrupts((count) => {
    if (count === 1) {
      session.send({ type: "interrupt" });
      return;
    }
    leave(endChildren);
  });
  try {
    return exitCodeOf(await session.prompt(message));
  } finally {
    stopAnswering();
  }
}

/** Shows a session from now on: its text on stdout, its tools and notices on stderr. */
export function showOneShot(session: Session): void {
  const text = createTextOutput(process.stdout);
  const notes = createTextOutput(process.stderr);
  const paint = createPaint(wantsColour(process.stderr));
  const oneScreen = process.stdout.isTTY === true;
  session.subscribe((event) => {
    if (event.type === "text-delta") {
      text.write(event.text);
      return;
    }
    if (event.type === "model-end" || event.type === "model-error") text.endLine();
    const line = eventLine(event, paint);
    if (line === undefined) return;
    if (oneScreen) text.endLine();
    notes.raw(`${line}\n`);
  });
}

/** Answers one message and writes its events to stdout as JSON lines. */
import type { Session } from "@localharness/engine";
import { exitCodes } from "@localharness/harness/exit-code";
import { onReaderGone } from "../terminal/output.ts";
import { plainJson, visibleLines } from "../terminal/plain-text.ts";
import { type OneShot, runOneShot } from "./one-shot.ts";

/** Runs one turn and returns the exit code. */
export async function runStreamJson(shot: OneShot): Promise<number> {
  const writer = createEventWriter(() => shot.session.send({ type: "interrupt" }));
  writer.follow(shot.session);
  const { exitCode, reason, message } = await runOneShot(shot);
  if (reason === "schema") process.stderr.write(`error: ${visibleLines(message ?? "")}\n`);
  return writer.gone ? exitCodes.error : exitCode;
}

export interface EventWriter {
  /** True once the reader has closed stdout. */
  readonly gone: boolean;
  /** Writes the following events of a session. */
  follow(session: Session): void;
  /** Writes a value that is no event as one JSON line. Writes nothing after the reader has closed stdout. */
  write(value: object): void;
}

/** Creates a writer to stdout. Calls `onGone` when the reader has closed stdout. */
export function createEventWriter(onGone: () => void): EventWriter {
  let gone = false;
  onReaderGone(process.stdout, () => {
    gone = true;
    onGone();
  });
  const write = (value: object) => {
    if (!gone) process.stdout.write(`${plainJson(value)}\n`);
  };
  return {
    get gone() {
      return gone;
    },
    follow(session) {
      session.subscribe(write);
    },
    write,
  };
}

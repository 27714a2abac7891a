/** Answers one message as events: one line of JSON each, on stdout. */

import type { Session } from "@localharness/engine";
import { onReaderGone } from "../terminal/output.ts";
import { plainJson } from "../terminal/plain-text.ts";
import { exitCodes } from "./exit-code.ts";
import { type OneShot, runOneTurn } from "./print.ts";

/** Runs one turn and returns the exit code. */
export async function runJson(shot: OneShot): Promise<number> {
  const writer = createEventWriter(() => shot.session.send({ type: "interrupt" }));
  writer.follow(shot.session);
  const code = await runOneTurn(shot);
  return writer.gone ? exitCodes.error : code;
}

export interface EventWriter {
  /** True when nobody reads the events any more. */
  readonly gone: boolean;
  /** Writes the events of a session from now on. */
  follow(session: Session): void;
}

/** Writes to stdout; `onGone` is called when whoever reads it has left. */
export function createEventWriter(onGone: () => void): EventWriter {
  let gone = false;
  onReaderGone(process.stdout, () => {
    gone = true;
    onGone();
  });
  return {
    get gone() {
      return gone;
    },
    follow(session) {
      session.subscribe((event) => {
        if (!gone) process.stdout.write(`${plainJson(event)}\n`);
      });
    },
  };
}

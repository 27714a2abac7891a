/** Answers one message as events: one line of JSON each, on stdout. */

import { onReaderGone } from "../terminal/output.ts";
import { plainJson } from "../terminal/plain-text.ts";
import { exitCodes } from "./exit-code.ts";
import { type OneShot, runOneTurn } from "./print.ts";

/** Runs one turn and returns the exit code. */
export async function runJson(shot: OneShot): Promise<number> {
  const readerGone = { yes: false };
  onReaderGone(process.stdout, () => {
    readerGone.yes = true;
    shot.session.send({ type: "interrupt" });
  });
  shot.session.subscribe((event) => {
    if (!readerGone.yes) process.stdout.write(`${plainJson(event)}\n`);
  });
  const code = await runOneTurn(shot);
  return readerGone.yes ? exitCodes.error : code;
}

/** Answers one message with one JSON object on stdout at the end. Tool lines and notices go to stderr. */
import { exitCodes } from "@localharness/harness/exit-code";
import { countRun } from "@localharness/harness/run-result";
import { onReaderGone } from "../terminal/output.ts";
import { plainJson } from "../terminal/plain-text.ts";
import { type OneShot, runOneShot } from "./one-shot.ts";
import { put, showAround } from "./print.ts";

/** Runs one turn and returns the exit code. */
export async function runJson(shot: OneShot): Promise<number> {
  let gone = false;
  onReaderGone(process.stdout, () => {
    gone = true;
    shot.session.send({ type: "interrupt" });
  });
  const counter = countRun(shot.session);
  showAround(shot.session);
  const outcome = await runOneShot(shot);
  await put(`${plainJson(counter.result(outcome))}\n`);
  return gone ? exitCodes.error : outcome.exitCode;
}

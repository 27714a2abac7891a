/** Answers one message: the answer on stdout, everything else on stderr. */
import type { Session } from "@localharness/engine";
import { exitCodes } from "@localharness/harness/exit-code";
import { createPaint, createTextOutput, onReaderGone, wantsColour } from "../terminal/output.ts";
import { plainJson, plainText, visibleLine } from "../terminal/plain-text.ts";
import { eventLine } from "../terminal/tool-lines.ts";
import { type OneShot, runOneShot } from "./one-shot.ts";

/** Runs one turn and returns the exit code. In a terminal the text is shown as it comes; a file or pipe gets the answer alone. */
export async function runPrint(shot: OneShot): Promise<number> {
  const streams = process.stdout.isTTY === true && shot.schema === undefined;
  if (streams) showOneShot(shot.session);
  else showAround(shot.session);
  const readerGone = { yes: false };
  onReaderGone(process.stdout, () => {
    readerGone.yes = true;
    shot.session.send({ type: "interrupt" });
  });
  const { exitCode, answer, value, reason, message } = await runOneShot(shot);
  if (reason === "schema") process.stderr.write(`error: ${visibleLine(message ?? "")}\n`);
  if (shot.schema !== undefined) {
    if (value !== undefined) await put(`${plainJson(value)}\n`);
  } else if (!streams && answer !== "") await put(`${plainText(answer).replace(/\n$/, "")}\n`);
  return readerGone.yes ? exitCodes.error : exitCode;
}

/** Writes to stdout; resolves when it is written, or when nobody reads it. */
export function put(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
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

/** Shows all but the answer on stderr: tools, notices, and what the model says before it calls them. */
export function showAround(session: Session): void {
  const notes = createTextOutput(process.stderr);
  const paint = createPaint(wantsColour(process.stderr));
  let said = "";
  let calls = false;
  const tellStep = () => {
    if (said.trim() !== "") notes.raw(`${plainText(said).trimEnd()}\n`);
    said = "";
  };
  session.subscribe((event) => {
    if (event.type === "iteration-start") {
      said = "";
      calls = false;
    }
    if (event.type === "text-delta") said += event.text;
    // Only now is it certain that this is not the answer.
    if (event.type === "tool-call-start") {
      calls = true;
      tellStep();
    }
    if (event.type === "model-end" && calls) tellStep();
    if (event.type === "user-message" && event.from === "harness") tellStep();
    const line = eventLine(event, paint);
    if (line !== undefined) notes.raw(`${line}\n`);
  });
}

/** Answers one message as text. The answer goes to stdout, everything else to stderr. */
import type { Session } from "@localharness/engine";
import { exitCodes } from "@localharness/harness/exit-code";
import { collectUnanswered } from "@localharness/harness/run-rules/allow-words";
import { answerTextOf } from "@localharness/protocol";
import { createPaint, createTextOutput, onReaderGone, wantsColour } from "../terminal/output.ts";
import { plainJson, plainText, visibleLine } from "../terminal/plain-text.ts";
import { eventLine } from "../terminal/tool-lines.ts";
import { type OneShot, runOneShot } from "./one-shot.ts";

/**
 * Runs one turn and returns the exit code. Without a schema, a terminal shows the text as it streams, and a file or pipe
 * gets the final answer. With a schema, stdout gets only the answer as JSON.
 */
export async function runPrint(shot: OneShot): Promise<number> {
  const streams = process.stdout.isTTY === true && shot.schema === undefined;
  if (streams) showOneShot(shot.session);
  else showAround(shot.session);
  const readerGone = { yes: false };
  onReaderGone(process.stdout, () => {
    readerGone.yes = true;
    shot.session.send({ type: "interrupt" });
  });
  const unanswered = collectUnanswered();
  shot.session.subscribe(unanswered.take);
  const { exitCode, answer, value, reason, message } = await runOneShot(shot);
  const denied = unanswered.line();
  if (denied !== undefined && reason !== "interrupted") process.stderr.write(`${denied}\n`);
  if (reason === "schema") process.stderr.write(`error: ${visibleLine(message ?? "")}\n`);
  if (shot.schema !== undefined) {
    if (value !== undefined) await put(`${plainJson(value)}\n`);
  } else if (!streams && answer !== "") await put(`${plainText(answer).replace(/\n$/, "")}\n`);
  return readerGone.yes ? exitCodes.error : exitCode;
}

/** Writes to stdout. Resolves when the text is written, or when stdout was closed. */
export function put(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text, () => resolve()));
}

/** Prints the events of a session from now on: text to stdout, tool calls and notices to stderr. */
export function showOneShot(session: Session): void {
  const text = createTextOutput(process.stdout);
  const notes = createTextOutput(process.stderr);
  const paint = createPaint(wantsColour(process.stderr));
  const oneScreen = process.stdout.isTTY === true;
  session.subscribe((event) => {
    const said = answerTextOf(event);
    if (said !== undefined) {
      text.write(said);
      return;
    }
    if (event.type === "model-end" || event.type === "model-error") text.endLine();
    const line = eventLine(event, paint);
    if (line === undefined) return;
    if (oneScreen) text.endLine();
    notes.raw(`${line}\n`);
  });
}

/**
 * Prints everything except the final answer to stderr: tool calls, notices, and what the model says before it calls
 * tools.
 */
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
    if (event.type === "answer-restart") said = "";
    if (event.type === "text-delta") said += event.text;
    // A tool call shows that the text before it was not the final answer.
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

/** Answers one message as text. The answer goes to stdout, everything else to stderr. */
import type { Session } from "@localharness/engine";
import { exitCodes } from "@localharness/harness/exit-code";
import { collectUnanswered } from "@localharness/harness/run-rules/allow-words";
import type { TimelineChange } from "@localharness/protocol";
import {
  createPaint,
  createTextOutput,
  onReaderGone,
  type TextOutput,
  wantsColour,
} from "../terminal/output.ts";
import { plainJson, plainText, visibleLines } from "../terminal/plain-text.ts";
import { changeLine } from "../terminal/tool-lines.ts";
import { type OneShot, runOneShot } from "./one-shot.ts";
import { addedText, endsText, followItems } from "./turn-items.ts";

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
  if (reason === "schema") process.stderr.write(`error: ${visibleLines(message ?? "")}\n`);
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
  const print = (change: TimelineChange) => {
    const said = addedText(change);
    if (said !== undefined) text.write(said);
    if (endsText(change)) text.endLine();
    const line = changeLine(change, paint);
    if (line === undefined) return;
    if (oneScreen) text.endLine();
    notes.raw(`${line}\n`);
  };
  session.subscribe(followItems(print));
}

/**
 * Prints everything except the final answer to stderr: tool calls, notices, and what the model says before it calls
 * tools.
 */
export function showAround(
  session: Pick<Session, "subscribe">,
  notes: TextOutput = createTextOutput(process.stderr),
): void {
  const paint = createPaint(wantsColour(process.stderr));
  let said = "";
  let calls = false;
  const tellStep = () => {
    if (said.trim() !== "") notes.raw(`${plainText(said).trimEnd()}\n`);
    said = "";
  };
  const follow = followItems((change) => {
    const { item } = change;
    if (change.kind === "grown") return;
    if (change.kind === "removed") {
      if (item.kind === "answer") said = "";
      return;
    }
    if (item.kind === "answer" && item.partial === undefined) said += item.text;
    // A tool call shows that the text before it was not the final answer.
    if (item.kind === "unreadable" || (item.kind === "call" && item.state === "waiting")) calls = true;
    if (calls || (item.kind === "user" && item.from === "harness")) tellStep();
    const line = changeLine(change, paint);
    if (line !== undefined) notes.raw(`${line}\n`);
  });
  session.subscribe((event) => {
    if (event.type === "iteration-start") {
      said = "";
      calls = false;
    }
    follow(event);
  });
}

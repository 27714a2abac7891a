/** `localharness serve`: connects the command to the terminal and to the package `server`. */
import { exitCodes } from "@localharness/harness/exit-code";
import { runServe as run, type ServeScreen } from "@localharness/harness/hub/serve-command";
import { startServer } from "@localharness/server";
import { renderUnicodeCompact } from "uqr";
import type { Invocation } from "../arguments/parse.ts";
import { leave, watchInterrupts } from "../modes/interrupts.ts";
import { askTrust } from "../terminal/ask-trust.ts";
import { openLines } from "../terminal/lines.ts";
import { createTextOutput } from "../terminal/output.ts";
import { plainText } from "../terminal/plain-text.ts";

export function runServe({ positionals, flags }: Invocation): Promise<number> {
  const screen: ServeScreen = {
    start: (options) => startServer({ ...options, reportBug }),
    say: (text) => process.stderr.write(`· ${plainText(text)}\n`),
    print: (line) => process.stdout.write(`${line}\n`),
    drawCode,
    interrupted: () => new Promise((resolve) => watchInterrupts(() => resolve())),
    leave: (end) => leave(end, exitCodes.done),
  };
  return run({ positionals, flags, screen: process.stdin.isTTY ? { ...screen, askTrust: askHere } : screen });
}

async function askHere(workspace: string, confined: boolean) {
  const lines = openLines({ input: process.stdin, output: process.stdout, onInterrupt: () => lines.close() });
  try {
    return await askTrust({ workspace, confined }, createTextOutput(process.stdout), lines);
  } finally {
    lines.close();
  }
}

/** Draws a link as a QR code. Does nothing if stdout is not a terminal, or if the terminal is too narrow. */
function drawCode(link: string): void {
  const rows = renderUnicodeCompact(link, { border: 2 }).split("\n");
  const { isTTY, columns = 0 } = process.stdout;
  if (!isTTY || columns < (rows[0] ?? "").length) return;
  const isColored = process.env["NO_COLOR"] === undefined;
  for (const row of rows) process.stdout.write(isColored ? `\u001b[30;107m${row}\u001b[0m\n` : `${row}\n`);
}

function reportBug(error: unknown): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`${plainText(text)}\n`);
}

/** Opens the screen on a session, runs until the person leaves, and restores the terminal. */
import { setCapabilities, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Host, SessionLink } from "@localharness/protocol";
import { RunningApp, type ScreenFacts } from "./open-app.ts";
import { screenText } from "./plain-text.ts";
import { runSlashCommand } from "./run-slash-command.ts";
import { FrozenScreen } from "./screen/frozen-screen.ts";
import { InputTerminal, type TerminalStreams } from "./screen/input-terminal.ts";
import { chooseTheme } from "./theme/choose-theme.ts";
import type { Theme } from "./theme/theme.ts";

export interface TerminalOptions {
  readonly link: SessionLink;
  readonly host: Host;
  readonly facts: ScreenFacts;
  /** Lines shown above the first prompt. */
  readonly greeting: readonly string[];
  /** Warnings shown below the greeting. */
  readonly warnings: readonly string[];
  /** Sent at the start unless it is empty. */
  readonly firstMessage: string;
  /** A slash command to run at the start, with its slash. */
  readonly firstCommand?: string;
  readonly theme?: Theme;
}

/** The end of the app: the person left (`left`), or a signal or a closed terminal ended it (`signal`). */
export type TerminalEnd = "left" | "signal";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export async function runTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  const streams = { input: process.stdin, output: process.stdout };
  // Text of a model never produces escape sequences other than styles, and images are not drawn.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  let app: RunningApp | undefined;
  const terminal = new InputTerminal(streams, (text) => app?.paste(text));
  const screen = new FrozenScreen(terminal);
  const theme = options.theme ?? chooseTheme("terminal");
  const keep = restoreAtExit(streams, () => screen.exitSequence());
  try {
    return await new Promise<TerminalEnd>((resolve) => {
      const { host, link, facts } = options;
      app = new RunningApp({ host, link, screen, theme, facts, onLeave: () => resolve("left") });
      begin(app, options);
      const gone = () => {
        app?.close();
        resolve("signal");
      };
      for (const name of signals) process.once(name, gone);
      streams.input.once("end", gone).once("error", gone).once("close", gone);
      streams.output.once("error", gone);
      screen.start();
      void readAhead(app);
    });
  } finally {
    screen.stop();
    keep();
  }
}

function begin(app: RunningApp, { greeting, warnings, firstMessage, firstCommand }: TerminalOptions): void {
  const lines = greeting.map((line) => app.theme().style("dim", screenText(line)));
  const wrapped = (width: number) => lines.flatMap((line) => wrapTextWithAnsi(line, width));
  if (lines.length > 0) app.screen.freeze((width) => [...wrapped(width), ""]);
  for (const warning of warnings) app.say(warning, "warning");
  if (firstCommand !== undefined) void runSlashCommand(app, firstCommand);
  if (firstMessage.trim() !== "") app.take(firstMessage);
}

/** Reads data that the first frame does not need: the message history and the Git branch. */
async function readAhead(app: RunningApp): Promise<void> {
  for (const message of await app.host.readHistory().catch(() => [])) app.editor.rememberEarlier(message);
  await app.readBranch();
}

/** Ends an unfinished frame, wraps lines again, turns off kitty's keys and bracketed paste, shows the cursor, resets styles. */
const restoring = "\u001b[?2026l\u001b[?7h\u001b[<u\u001b[?2004l\u001b[?25h\u001b[0m";

/**
 * Restores the terminal when the process exits. Returns a function that cancels this. `exitSequence` returns the escape
 * sequences that put the cursor below the drawn text, so that later output does not overwrite it.
 */
function restoreAtExit({ input, output }: TerminalStreams, exitSequence: () => string): () => void {
  const restore = () => {
    try {
      output.write(exitSequence() + restoring);
      input.setRawMode(false);
    } catch {
      // The terminal itself is gone.
    }
  };
  process.once("exit", restore);
  return () => process.off("exit", restore);
}

/** Opens the screen on a session, runs until the person leaves, and restores the terminal. */
import { setCapabilities } from "@earendil-works/pi-tui";
import type { Host, SessionLink } from "@localharness/protocol";
import { type AttentionSettings, createAttention } from "./attention/attention.ts";
import { takesLines } from "./keys.ts";
import { RunningApp, type ScreenFacts } from "./open-app.ts";
import { screenText } from "./plain-text.ts";
import { runSlashCommand } from "./run-slash-command.ts";
import { FrozenScreen } from "./screen/frozen-screen.ts";
import {
  endSequence,
  InputTerminal,
  type TerminalModes,
  type TerminalStreams,
} from "./screen/input-terminal.ts";
import { chooseTheme } from "./theme/choose-theme.ts";
import type { Theme } from "./theme/theme.ts";
import { wrapWords } from "./transcript/wrap-words.ts";

export interface TerminalOptions {
  readonly link: SessionLink;
  readonly host: Host;
  readonly facts: ScreenFacts;
  /** Lines shown above the first prompt. */
  readonly greeting: readonly string[];
  /** Warnings shown below the greeting. */
  readonly warnings: readonly string[];
  /** The message to send at the start; empty to send none. */
  readonly firstMessage: string;
  /** A slash command to run at the start, with its slash. */
  readonly firstCommand?: string;
  readonly theme?: Theme;
  readonly settings?: AttentionSettings;
}

/** The reason why the app ended: `left` if the person left, `signal` if a signal or a closed terminal ended it. */
export type AppEnd = "left" | "signal";

export async function runTerminal(options: TerminalOptions): Promise<AppEnd> {
  const streams = { input: process.stdin, output: process.stdout };
  // A model's text must not produce links or images, so these features of pi-tui are off.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  let app: RunningApp | undefined;
  const { settings = {} } = options;
  const modes = modesOf(settings, (on) => attention.focus(on));
  const terminal = new InputTerminal(
    streams,
    (text) => app?.paste(text),
    modes,
    () => app !== undefined && takesLines(app),
  );
  const attention = createAttention(settings, terminal);
  const screen = new FrozenScreen(terminal);
  const theme = options.theme ?? chooseTheme("terminal");
  const keep = restoreAtExit(streams, () => screen.exitSequence() + restoring + endSequence(modes));
  try {
    return await new Promise<AppEnd>((resolve) => {
      const { host, link, facts } = options;
      const onLeave = () => resolve("left");
      app = new RunningApp({ host, link, screen, theme, facts, attention, onLeave });
      begin(app, options);
      const gone = () => {
        app?.close();
        resolve("signal");
      };
      // Ctrl+C in the person's editor sends SIGINT to every program in the foreground of the terminal, so it is ignored
      // here.
      const interrupted = () => (app?.loan.isLent() ? process.once("SIGINT", interrupted) : gone());
      process.once("SIGINT", interrupted);
      for (const name of ["SIGTERM", "SIGHUP"] as const) process.once(name, gone);
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
  const wrapped = (width: number) => lines.flatMap((line) => wrapWords(line, width));
  if (lines.length > 0) app.screen.freeze((width) => [...wrapped(width), ""]);
  for (const warning of warnings) app.say(warning, "warning");
  if (firstCommand !== undefined) void runSlashCommand(app, firstCommand);
  if (firstMessage.trim() !== "") app.take(firstMessage);
}

/** Reads data that the first frame does not need: the message history, the Git branch and where commands run. */
async function readAhead(app: RunningApp): Promise<void> {
  for (const message of await app.host.readHistory().catch(() => [])) app.editor.rememberEarlier(message);
  await app.readPlace();
}

function modesOf(settings: AttentionSettings, onFocus: (on: boolean) => void): TerminalModes {
  const watches = settings.notify !== "off" && settings.notify_when !== "always";
  // The Linux console would print the title as text.
  const title = settings.terminal_title !== false && process.env["TERM"] !== "linux";
  return { title, ...(watches ? { onFocus } : {}) };
}

/** The sequences that end an unfinished frame and reset all styles. */
const restoring = "\u001b[?2026l\u001b[0m";

/**
 * Registers a function that restores the terminal when the process exits, and returns a function that unregisters it.
 * `exitSequence` returns the escape sequences that put the cursor below the drawn text, so that later output does not
 * overwrite it.
 */
function restoreAtExit({ input, output }: TerminalStreams, exitSequence: () => string): () => void {
  const restore = () => {
    try {
      output.write(exitSequence());
      input.setRawMode(false);
    } catch {
      // The terminal is closed, so there is nothing to restore.
    }
  };
  process.once("exit", restore);
  return () => process.off("exit", restore);
}

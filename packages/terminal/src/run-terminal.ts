/** Opens the screen on a session, runs until the person leaves, and puts the terminal back. */
import { setCapabilities, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { Host, SessionLink } from "@localharness/protocol";
import { RunningApp, type ScreenFacts } from "./open-app.ts";
import { screenText } from "./plain-text.ts";
import { runSlashCommand } from "./run-slash-command.ts";
import { FrozenScreen } from "./screen/frozen-screen.ts";
import { InputTerminal } from "./screen/input-terminal.ts";
import { restoreAtExit } from "./screen/restore.ts";
import { chooseTheme } from "./theme/choose-theme.ts";
import type { Theme } from "./theme/theme.ts";

export interface TerminalOptions {
  readonly link: SessionLink;
  readonly host: Host;
  readonly facts: ScreenFacts;
  /** Lines for the person above the first prompt. */
  readonly greeting: readonly string[];
  /** Said below it. */
  readonly warnings: readonly string[];
  /** Sent at once, unless it is empty. */
  readonly firstMessage: string;
  /** A slash command to begin with, with its slash. */
  readonly firstCommand?: string;
  readonly theme?: Theme;
}

/** How it ended: the person left, or the terminal or the system ended it. */
export type TerminalEnd = "left" | "signal";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export async function runTerminal(options: TerminalOptions): Promise<TerminalEnd> {
  const streams = { input: process.stdin, output: process.stdout };
  // Escape sequences beside styles are never written for what a model says, and pictures are not drawn.
  setCapabilities({ images: null, trueColor: false, hyperlinks: false });
  let app: RunningApp | undefined;
  const terminal = new InputTerminal(streams, (text) => app?.paste(text));
  const screen = new FrozenScreen(terminal);
  const theme = options.theme ?? chooseTheme("terminal");
  const keep = restoreAtExit(streams, () => screen.parting());
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

/** What the first frame need not wait for. */
async function readAhead(app: RunningApp): Promise<void> {
  for (const message of await app.host.readHistory().catch(() => [])) app.editor.rememberEarlier(message);
  await app.readBranch();
}

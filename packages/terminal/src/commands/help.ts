/** Commands about the program: `/help`, `/bug`, `/quit`. */
import { bugLines, commandLines } from "@localharness/protocol/command-texts";
import type { CommandRuns } from "../app.ts";
import { linesViewer } from "../dialogs/text-viewer.ts";
import { screenText } from "../plain-text.ts";
import { wrapRows } from "../transcript/wrap-text.ts";

const keys = [
  "Enter sends · Shift+Enter, Alt+Enter or \\ Enter: a new line · ↑ ↓ earlier messages",
  "@ completes a path and attaches the file, @file:10-40 lines of it · !command runs a shell command, !!command with the terminal · / lists the commands",
  "A pasted image path attaches the image · Ctrl+V attaches the image in the clipboard",
  "Ctrl+G opens the draft in your editor · Ctrl+R searches earlier messages",
  "Esc interrupts · Esc Esc edits an earlier message · Ctrl+O opens thoughts, calls and results, / searches",
  "Shift+Tab changes the mode · Ctrl+C clears or cancels, twice leaves · Ctrl+D leaves · Ctrl+Z suspends",
];

export const helpCommands = {
  async help(app) {
    const lines = commandLines("terminal", await app.host.listCustomCommands());
    const clean = screenText([...keys, "", ...lines].join("\n"));
    app.open(
      linesViewer("Keys and commands", (width) => wrapRows(clean, width)),
      "full",
    );
  },
  async bug(app) {
    app.say((await bugLines(app.host)).join("\n"));
  },
  quit: (app) => app.leave(),
} satisfies CommandRuns;

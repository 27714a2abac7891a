/** `/help`: shows keys, commands and custom commands. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
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

export const help: SlashCommand = {
  ...commandFacts.help,
  async run(app) {
    const lines = app.commands.map(({ name, aliases = [], about }) => {
      const names = [name, ...aliases].map((one) => `/${one}`).join(" ");
      return `${names.padEnd(23)}  ${about}`;
    });
    const own = await app.host.listCustomCommands();
    const owns = own.map(({ name, about }) => `${`/${name}`.padEnd(23)}  ${about}`);
    const text = [...keys, "", ...lines, ...(owns.length === 0 ? [] : ["", "Custom commands:", ...owns])];
    const clean = screenText(text.join("\n"));
    app.open(
      linesViewer("Keys and commands", (width) => wrapRows(clean, width)),
      "full",
    );
  },
};

import type { SlashCommand } from "../app.ts";

const keys = [
  "Enter sends · Shift+Enter, Alt+Enter or \\ Enter: a new line · ↑ ↓ earlier messages",
  "@ completes a path · !command runs a command of yours · / lists the commands",
  "Esc interrupts · Esc Esc edits an earlier message · Ctrl+O opens thoughts, calls and results",
  "Ctrl+C clears or cancels, twice leaves · Ctrl+D leaves · Ctrl+Z suspends",
];

export const help: SlashCommand = {
  name: "help",
  aliases: ["?"],
  about: "keys and commands",
  run(app) {
    const lines = app.commands.map(({ name, about }) => `/${name.padEnd(22)} ${about}`);
    app.say([...keys, "", ...lines].join("\n"));
  },
};

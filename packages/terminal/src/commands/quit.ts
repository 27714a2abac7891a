/** `/quit`: leaves the program. */
import type { SlashCommand } from "../app.ts";

export const quit: SlashCommand = {
  name: "quit",
  aliases: ["exit", "q"],
  about: "leave (also Ctrl+D)",
  run: (app) => app.leave(),
};

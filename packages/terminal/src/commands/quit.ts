/** `/quit`: leaves the program. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const quit: SlashCommand = {
  ...commandFacts.quit,
  run: (app) => app.leave(),
};

/** `/bug`: shows facts for a bug report. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const bug: SlashCommand = {
  ...commandFacts.bug,
  async run(app) {
    const facts = await app.host.describeProgram();
    app.say(
      `${facts}\n\nNone of this was sent. Copy it into your bug report and add what you did, what you expected and what happened.`,
    );
  },
};

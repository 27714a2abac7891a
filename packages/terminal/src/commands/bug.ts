import type { SlashCommand } from "../app.ts";

export const bug: SlashCommand = {
  name: "bug",
  about: "facts for a report of a mistake; nothing is sent",
  async run(app) {
    const facts = await app.host.describeProgram();
    app.say(
      `${facts}\n\nNothing of this was sent. Copy it into your report, with what you did, what you expected and what came.`,
    );
  },
};

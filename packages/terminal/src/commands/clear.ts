/** `/clear`: starts a new session. */
import type { SlashCommand } from "../app.ts";

export const clear: SlashCommand = {
  name: "clear",
  aliases: ["new"],
  about: "start a new session",
  async run(app) {
    await app.openSession({ kind: "new" }, () => app.say("started a new session"));
  },
};

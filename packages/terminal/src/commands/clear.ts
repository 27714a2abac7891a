import type { SlashCommand } from "../app.ts";

export const clear: SlashCommand = {
  name: "clear",
  aliases: ["new"],
  about: "a fresh conversation",
  async run(app) {
    await app.openSession({ kind: "new" }, () => app.say("a fresh conversation"));
  },
};

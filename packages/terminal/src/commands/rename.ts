/** `/rename`: names this session. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const rename: SlashCommand = {
  ...commandFacts.rename,
  async run(app, rest) {
    if (rest === "") return app.say("usage: /rename NAME", "warning");
    await app.host.renameSession(app.link().id, rest);
    await app.readName();
    app.say(`this session is called ${rest}`);
  },
};

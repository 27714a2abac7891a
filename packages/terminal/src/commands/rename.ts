/** `/rename`: names this session. */
import type { SlashCommand } from "../app.ts";

export const rename: SlashCommand = {
  name: "rename",
  about: "give this session a name: /rename NAME",
  async run(app, rest) {
    if (rest === "") return app.say("usage: /rename NAME", "warning");
    await app.host.renameSession(app.link().id, rest);
    await app.readName();
    app.say(`this session is called ${rest}`);
  },
};

import type { SlashCommand } from "../app.ts";

export const clear: SlashCommand = {
  name: "clear",
  aliases: ["new"],
  about: "a fresh conversation",
  async run(app) {
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    app.show(await app.host.open({ kind: "new" }));
    app.say("a fresh conversation");
  },
};

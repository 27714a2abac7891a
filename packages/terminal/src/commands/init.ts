/** `/init`: sends a message that asks the model to look at the project and to write AGENTS.md. */
import type { SlashCommand } from "../app.ts";

export const init: SlashCommand = {
  name: "init",
  about: "ask the model to look at the project and write AGENTS.md, with your permission",
  async run(app, rest) {
    if (app.mode() === "plan") {
      return app.say(
        "mode plan changes nothing, so AGENTS.md cannot be written: /mode default first",
        "warning",
      );
    }
    app.submit(await app.host.expandCustomCommand("init", rest));
  },
};

/** `/init`: sends a message that asks the model to look at the project and to write AGENTS.md. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const init: SlashCommand = {
  ...commandFacts.init,
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

/** `/fork`: goes back to before an earlier message, in a new branch. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { rewind } from "../dialogs/rewind.ts";

export const fork: SlashCommand = {
  ...commandFacts.fork,
  run(app) {
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    if (!app.items().some((item) => item.kind === "user" && item.from === "person")) {
      return app.say("there is no message to go back to yet");
    }
    app.open(rewind);
  },
};

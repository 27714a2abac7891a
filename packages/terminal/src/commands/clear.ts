/** `/clear`: starts a new session. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const clear: SlashCommand = {
  ...commandFacts.clear,
  async run(app) {
    await app.openSession({ kind: "new" }, () => app.say("started a new session"));
  },
};

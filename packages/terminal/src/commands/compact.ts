/** `/compact`: leaves old results and answers out of the prompt, so that the context window has room. */
import { commandFacts, defined } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const compact: SlashCommand = {
  ...commandFacts.compact,
  run(app, rest) {
    app.send({ type: "compact", ...defined({ keep: rest === "" ? undefined : rest }) });
  },
};

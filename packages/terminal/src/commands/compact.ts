/** `/compact`: leaves old results and answers out of the prompt, so that the context window has room. */
import { defined } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const compact: SlashCommand = {
  name: "compact",
  about: "make room in the context window; /compact WHAT TO KEEP IN MIND",
  run(app, rest) {
    app.send({ type: "compact", ...defined({ keep: rest === "" ? undefined : rest }) });
  },
};

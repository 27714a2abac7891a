/** `/toggle-toolcall-json`: switches between summaries and raw JSON of tool calls. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const toggleToolcallJson: SlashCommand = {
  ...commandFacts["toggle-toolcall-json"],
  run(app) {
    app.setRawCalls(!app.rawCalls());
    app.say(
      app.rawCalls()
        ? "tool calls are shown as JSON from now on, and with Ctrl+O"
        : "tool calls are shown as lines again",
    );
  },
};

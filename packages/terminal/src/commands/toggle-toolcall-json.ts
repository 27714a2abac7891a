/** `/toggle-toolcall-json`: switches between summaries and raw JSON of tool calls. */
import type { SlashCommand } from "../app.ts";

export const toggleToolcallJson: SlashCommand = {
  name: "toggle-toolcall-json",
  about: "show tool calls and results as raw JSON, or not",
  run(app) {
    app.setRawCalls(!app.rawCalls());
    app.say(
      app.rawCalls()
        ? "tool calls are shown as JSON from now on, and with Ctrl+O"
        : "tool calls are shown as lines again",
    );
  },
};

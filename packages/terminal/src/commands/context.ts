/** Commands about the state of the session: `/status`, `/tasks`, `/context`, `/compact`, `/cost`. */
import { defined, taskLines } from "@localharness/protocol";
import { contextLines, costLines, statusLines } from "@localharness/protocol/command-texts";
import type { CommandRuns } from "../app.ts";
import { screenLine } from "../plain-text.ts";

export const contextCommands = {
  async status(app) {
    const lines = statusLines(await app.host.describeStatus(), app.windowUsed());
    app.say(lines.map(screenLine).join("\n"));
  },
  tasks(app) {
    app.say(taskLines(app.tasks()).join("\n"));
  },
  async context(app) {
    app.say((await contextLines(app.host, app.windowUsed())).join("\n"));
  },
  compact(app, rest) {
    app.send({ type: "compact", ...defined({ keep: rest === "" ? undefined : rest }) });
  },
  async cost(app) {
    app.say(costLines(await app.host.listCosts()).join("\n"));
  },
} satisfies CommandRuns;

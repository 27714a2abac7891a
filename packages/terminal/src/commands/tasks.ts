/** `/tasks`: shows the model's task list. */

import { commandFacts, taskLines } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const tasks: SlashCommand = {
  ...commandFacts.tasks,
  run(app) {
    app.say(taskLines(app.tasks()).join("\n"));
  },
};

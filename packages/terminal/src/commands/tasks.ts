/** `/tasks`: shows the model's task list. */

import { taskLines } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const tasks: SlashCommand = {
  name: "tasks",
  aliases: ["todo"],
  about: "the model's list of tasks",
  run(app) {
    app.say(taskLines(app.tasks()).join("\n"));
  },
};

/** `/tasks`: shows the model's task list. */
import type { SlashCommand } from "../app.ts";
import { taskLines } from "../panels/task-list.ts";

export const tasks: SlashCommand = {
  name: "tasks",
  aliases: ["todo"],
  about: "the model's list of tasks",
  run(app) {
    app.say(taskLines(app.tasks()).join("\n"));
  },
};

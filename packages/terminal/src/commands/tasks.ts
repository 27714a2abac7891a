import type { SlashCommand } from "../app.ts";
import { taskMark } from "../panels/task-panel.ts";

export const tasks: SlashCommand = {
  name: "tasks",
  aliases: ["todo"],
  about: "the model's list of tasks",
  run(app) {
    const all = app.tasks();
    if (all.length === 0) return app.say("the model has no tasks");
    app.say(all.map(({ content, status }) => `${taskMark(status)} ${content}`).join("\n"));
  },
};

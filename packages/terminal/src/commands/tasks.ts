import type { SlashCommand } from "../app.ts";

const marks: Readonly<Record<string, string>> = { completed: "✓", in_progress: "▸", pending: "○" };

export const tasks: SlashCommand = {
  name: "tasks",
  aliases: ["todo"],
  about: "the model's list of tasks",
  run(app) {
    const all = app.tasks();
    if (all.length === 0) return app.say("the model has no tasks");
    app.say(all.map(({ content, status }) => `${marks[status] ?? "○"} ${content}`).join("\n"));
  },
};

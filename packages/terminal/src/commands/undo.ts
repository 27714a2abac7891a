import type { SlashCommand } from "../app.ts";

export const undo: SlashCommand = {
  name: "undo",
  about: "put files back as they were before the last turn",
  async run(app) {
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    app.say((await app.host.undo()).lines.join("\n"));
  },
};

export const redo: SlashCommand = {
  name: "redo",
  about: "make what was undone again",
  async run(app) {
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    app.say((await app.host.redo()).lines.join("\n"));
  },
};

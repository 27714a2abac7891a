/** `/undo` and `/redo`: undo and redo the file changes of turns. */
import { commandFacts } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const undo: SlashCommand = {
  ...commandFacts.undo,
  async run(app, rest) {
    const turns = rest === "" ? 1 : /^[1-9][0-9]{0,3}$/.test(rest) ? Number(rest) : undefined;
    if (turns === undefined) return app.say("/undo takes a number of turns: /undo 3", "warning");
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    app.say((await app.host.undo(turns)).lines.join("\n"));
  },
};

export const redo: SlashCommand = {
  ...commandFacts.redo,
  async run(app, rest) {
    if (rest !== "") return app.say("/redo takes no argument: it redoes one turn", "warning");
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    app.say((await app.host.redo()).lines.join("\n"));
  },
};

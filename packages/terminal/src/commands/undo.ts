/** `/undo` and `/redo`: undo and redo the file changes of turns. */
import { commandFacts, countText } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const undo: SlashCommand = {
  ...commandFacts.undo,
  async run(app, rest) {
    const turns = rest === "" ? 1 : /^[1-9][0-9]{0,3}$/.test(rest) ? Number(rest) : undefined;
    if (turns === undefined) return app.say("/undo takes a number of turns: /undo 3", "warning");
    if (app.view().turn.running) return app.say("a turn is running: Esc interrupts it", "warning");
    const previews = await app.host.previewUndo(turns);
    const undo = async () => app.say((await app.host.undo(turns)).lines.join("\n"));
    if (previews.every(({ paths }) => paths.length === 0)) return undo();
    app.say(previews.flatMap(({ lines }) => lines).join("\n"));
    app.open(
      selectList({
        title:
          previews.length === 1
            ? "Undo the changes above?"
            : `Undo the ${countText(previews.length, "turn")} above?`,
        empty: "",
        enter: "answers",
        load: async () => [
          { id: "undo", label: "Undo", about: "/redo takes it back" },
          { id: "keep", label: "Leave the files as they are" },
        ],
        async onEnter({ id }, list) {
          list.close();
          if (id === "undo") await undo();
        },
      }),
    );
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

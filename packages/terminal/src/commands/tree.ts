/** `/tree`: lists the branches of this session and opens one. */
import { commandFacts, countText, joinedLine } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const tree: SlashCommand = {
  ...commandFacts.tree,
  async run(app) {
    const forks = await app.host.listForks();
    if (forks.length === 0) return app.say("this session has no branches: /fork makes one");
    const current = forks.find((one) => one.current);
    app.open(
      selectList({
        title: "Branches of this session",
        empty: "no branches",
        enter: "opens it",
        ...(current === undefined ? {} : { start: current.id }),
        load: async () =>
          forks.map(({ id, depth, name, messages, current: here }) => ({
            id,
            label: `${"  ".repeat(depth)}${depth === 0 ? "" : "└ "}${name === "" ? id : joinedLine(name)}`,
            about: `${countText(messages, "message")}${here ? " · here" : ""}`,
          })),
        async onEnter(row, list) {
          if (row.id === current?.id) return list.close();
          if (await app.openSession({ kind: "resume", id: row.id })) list.close();
        },
      }),
    );
  },
};

import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const permissions: SlashCommand = {
  name: "permissions",
  aliases: ["rules"],
  about: "rules and remembered answers: look at them, forget them",
  run(app) {
    app.open(
      selectList({
        title: "Rules and remembered answers",
        empty: "nothing is remembered, and there are no rules",
        enter: "forgets it",
        load: async () =>
          (await app.host.listRules()).map(({ id, line, forgettable }) => ({
            id,
            label: line,
            ...(forgettable ? {} : { about: "not yours to forget here" }),
          })),
        async onEnter(row, list) {
          if (!list.confirm("Enter again forgets it")) return;
          await app.host.forgetRule(row.id);
          await list.reload();
          list.tell("forgotten, from the next session on");
        },
      }),
    );
  },
};

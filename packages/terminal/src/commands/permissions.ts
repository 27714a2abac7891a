/** `/permissions`: lists rules and remembered answers and forgets them. */
import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const permissions: SlashCommand = {
  name: "permissions",
  aliases: ["rules"],
  about: "show and forget rules and remembered answers",
  run(app) {
    app.open(
      selectList({
        title: "Rules and remembered answers",
        empty: "there are no rules and no remembered answers",
        enter: "forgets it",
        load: async () =>
          (await app.host.listRules()).map(({ id, line, forgettable }) => ({
            id,
            label: line,
            ...(forgettable ? {} : { about: "cannot be forgotten here" }),
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

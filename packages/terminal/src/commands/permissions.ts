/** `/permissions`: lists rules, remembered answers and answers of the session, and forgets them. */
import { commandFacts, modeAtPermissions } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const permissions: SlashCommand = {
  ...commandFacts.permissions,
  run(app, rest) {
    const meant = modeAtPermissions(rest);
    if (meant !== undefined) return app.say(meant, "warning");
    /** The ids of the listed answers that hold for this session only. */
    const answers = new Set<string>();
    app.open(
      selectList({
        title: "Rules and answers",
        empty: "no rules and no remembered answers here; localharness policy list has all",
        enter: "forgets it",
        load: async () =>
          (await app.host.listRules())
            .filter(({ elsewhere }) => !elsewhere)
            .map(({ id, line, about, forgettable, ofSession }) => {
              if (ofSession) answers.add(id);
              return {
                id,
                label: line,
                below: about,
                ...(forgettable ? {} : { about: "cannot be forgotten here" }),
              };
            }),
        async onEnter(row, list) {
          if (!list.confirm("Enter again forgets it")) return;
          await app.host.forgetRule(row.id);
          await list.reload();
          list.tell(`${answers.has(row.id) ? "taken back" : "forgotten"}, from the next call on`);
        },
      }),
    );
  },
};

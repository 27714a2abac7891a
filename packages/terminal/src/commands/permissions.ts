/** Commands about what is allowed: `/permissions`, `/mode`, `/trust`, `/add-dir`. */
import { readFolderChange } from "@localharness/protocol";
import {
  changeRules,
  changeTrust,
  forgottenText,
  modeText,
  readMode,
} from "@localharness/protocol/command-texts";
import type { App, CommandRuns } from "../app.ts";
import { selectList } from "../dialogs/select-list.ts";

export const permissionCommands = {
  async permissions(app, rest) {
    const said = await changeRules(app.host, rest);
    if (said === undefined) chooseRule(app);
    else app.say(said);
  },
  mode(app, rest) {
    const mode = readMode(rest, app.mode());
    if (mode === undefined) return app.say(modeText(app.mode()));
    app.send({ type: "set-mode", mode });
    const waits =
      app.view().permission === undefined ? "" : ", from the next call on; this question is still yours";
    app.say(`mode ${mode}${waits}`);
  },
  async trust(app, rest) {
    app.say(await changeTrust(app.host, rest));
  },
  async "add-dir"(app, rest) {
    app.say(await app.host.changeFolders(readFolderChange(rest)));
  },
} satisfies CommandRuns;

function chooseRule(app: App): void {
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
        list.tell(forgottenText(answers.has(row.id)));
      },
    }),
  );
}

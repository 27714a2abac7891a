/** `/add-dir`: adds a folder beside the workspace, changes its trust, takes one away, or lists them. */
import { commandFacts, readFolderChange } from "@localharness/protocol";
import type { SlashCommand } from "../app.ts";

export const addDir: SlashCommand = {
  ...commandFacts["add-dir"],
  async run(app, rest) {
    app.say(await app.host.changeFolders(readFolderChange(rest)));
  },
};

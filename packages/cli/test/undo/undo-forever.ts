/** Undoes and redoes one turn again and again, until it is killed. Arguments: workspace, state folder. */
import { createWriteJournal, openWorkspace } from "@localharness/tools";
import { openUndo } from "../../src/undo/undo-changes.ts";

const [root = "", stateFolder = ""] = process.argv.slice(2);
const workspace = await openWorkspace(root);
const undo = openUndo({ workspace, journal: createWriteJournal(stateFolder), stateFolder, secrets: [] });
process.stdout.write("ready\n");
for (;;) {
  await undo.undo("s");
  await undo.redo("s");
}

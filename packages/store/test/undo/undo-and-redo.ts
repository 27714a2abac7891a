/** Undoes and redoes one turn several times: `undo-and-redo.ts WORKSPACE STATE_FOLDER COUNT`. */
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { takeCountedSteps } from "../../../../test/faults/kill-at-step.ts";
import { openUndo } from "../../src/undo/undo-changes.ts";

const [root = "", stateFolder = "", times = "1"] = process.argv.slice(2);
await takeCountedSteps();
const workspace = await openWorkspace(root);
const undo = openUndo({ workspace, journal: createWriteJournal(stateFolder), stateFolder, secrets: [] });
for (let time = 0; time < Number(times); time += 1) {
  await undo.undo("s");
  await undo.redo("s");
}

/** `localharness undo` and `redo`: undoes or redoes the file changes that tools of a session made in this folder. */

import { resolve } from "node:path";
import { configError, usageError } from "@localharness/engine";
import { readKeys } from "@localharness/harness/config/keys";
import { configFolder, stateFolder } from "@localharness/harness/config/location";
import { knownSecrets } from "@localharness/harness/config/secrets";
import { exitCodes } from "@localharness/harness/exit-code";
import { folded } from "@localharness/harness/fold-lines";
import { type ChangeReport, reasonOf } from "@localharness/protocol";
import { openUndo, type Undo } from "@localharness/store/undo/undo-changes";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { type Invocation, textFlag } from "../arguments/parse.ts";
import { plainJson, visibleLine } from "../terminal/plain-text.ts";

export async function runUndo(invocation: Invocation): Promise<number> {
  const { command, positionals, flags } = invocation;
  const isUndo = command === "undo";
  if (positionals.length > 0) {
    throw usageError(`usage: localharness ${command} [--session ID]${isUndo ? " [--turns N]" : ""}`);
  }
  const turns = typeof flags.turns === "number" ? flags.turns : 1;
  const report = await withUndo(textFlag(flags, "workspace") ?? ".", async (undo) => {
    const wanted = textFlag(flags, "session");
    const session = await undo.findSession(wanted);
    if (session === undefined) {
      const none = wanted === undefined ? "no session" : `no session ${wanted}`;
      return { lines: [`${none} has changed files with its tools in this folder`], changed: 0 };
    }
    const { lines, changed } = await (isUndo ? undo.undo(session, turns) : undo.redo(session));
    return { lines: [...lines, `session ${session}`], changed };
  });
  if (flags.json === true) process.stdout.write(`${plainJson(report)}\n`);
  else for (const line of report.lines) process.stdout.write(folded(`${visibleLine(line)}\n`));
  return report.changed > 0 ? exitCodes.done : exitCodes.error;
}

async function withUndo(folder: string, work: (undo: Undo) => Promise<ChangeReport>): Promise<ChangeReport> {
  const state = stateFolder();
  if (state === undefined) {
    throw configError("there is no home folder where changes are kept: set HOME or XDG_STATE_HOME");
  }
  const config = configFolder();
  const closed = config === undefined ? [state] : [state, config];
  const workspace = await openWorkspace(resolve(folder), { closed }).catch((error: unknown) => {
    throw usageError(`cannot open the folder ${folder}: ${reasonOf(error)}`, error);
  });
  const { keys } = await knownSecrets(process.env, await readKeys(config));
  const journal = createWriteJournal(state);
  try {
    return await work(openUndo({ workspace, journal, stateFolder: state, secrets: keys }));
  } finally {
    journal.close();
    workspace.close();
  }
}

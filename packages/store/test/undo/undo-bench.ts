/** Sets up a workspace with the real tools, a record of their changes, and undo. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { runPersonsCommand } from "@localharness/commands/keeping/persons-command";
import { createRegistry } from "@localharness/engine";
import { callWords, type JsonObject } from "@localharness/protocol";
import {
  createTools,
  openToolResources,
  type ToolResources,
  type ToolResourcesOptions,
} from "@localharness/tools";
import { sessionChanges } from "@localharness/workspace/changes/change-folder";
import type { ChangeLimits } from "@localharness/workspace/changes/changes";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { onTestFinished } from "vitest";
import { treeOf } from "../../../../test/tree-of.ts";
import { openUndo, type Undo } from "../../src/undo/undo-changes.ts";

export interface UndoBench {
  readonly root: string;
  readonly state: string;
  readonly undo: Undo;
  /** The folders that the person added. The workspace of `undo` does not know them. */
  readonly added: ToolResources["added"];
  /** The folder of the recorded changes of session `s`. */
  readonly kept: string;
  readonly resources: ToolResources;
  /** Runs a command that the person types in session `s`. Returns its output. */
  type(command: string): Promise<string>;
  /** Runs calls in a turn of a session and returns their notes. Throws when one fails. */
  run(turn: string, calls: readonly Call[], session?: string): Promise<readonly string[]>;
  put(path: string, content: string, mode?: number): void;
  link(path: string, target: string): void;
  remove(path: string): void;
  /** Returns the contents of the workspace by path, with the mode where it is unusual. */
  tree(): Readonly<Record<string, string>>;
}

export type Call = readonly [tool: string, args: JsonObject];

export async function openUndoBench(
  changeLimits: Partial<ChangeLimits> = {},
  secrets: readonly string[] = [],
  sharedState?: string,
  more: Partial<ToolResourcesOptions> = {},
): Promise<UndoBench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "localharness-undo-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [root, state] = [join(folder, "ws"), sharedState ?? join(folder, "state")];
  mkdirSync(root);
  const shared = { workspace: root, stateFolder: state, changeLimits, secrets };
  const resources = await openToolResources({ ...shared, ...more });
  const workspace = await openWorkspace(root);
  onTestFinished(async () => {
    await resources.close();
    workspace.close();
  });
  const registry = createRegistry(createTools(resources));
  return {
    root,
    state,
    resources,
    type: async (command) => {
      const never = new AbortController().signal;
      return (await runPersonsCommand(resources, { sessionId: "s", command }, never, () => {})).output;
    },
    added: resources.added,
    undo: openUndo({
      workspace,
      journal: resources.journal,
      ledger: resources.ledger,
      stateFolder: state,
      secrets,
    }),
    kept: sessionChanges(state, root, "s"),
    async run(turnId, calls, sessionId = "s") {
      const notes: string[] = [];
      for (const [name, args] of calls) {
        const signal = new AbortController().signal;
        const turn = { sessionId, turnId, words: callWords(name, args) };
        const context = { callId: "c", signal, report: () => undefined, turn };
        const output = await registry.execute(name, args, context);
        if (!output.ok) throw new Error(`${name}: ${output.message}`);
        notes.push(...(output.notes ?? []));
      }
      return notes;
    },
    put(path, content, mode) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
      if (mode !== undefined) chmodSync(join(root, path), mode);
    },
    link(path, target) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    },
    remove: (path) => rmSync(join(root, path), { recursive: true, force: true }),
    tree: () => treeOf(root),
  };
}

/** `remove`: deletes a file, a link, or a folder. */

import { readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { type CallFacts, defineTool, type Tool, type ToolOutput } from "@localharness/engine";
import type { JsonObject } from "@localharness/protocol";
import { countText } from "@localharness/protocol";
import { runChange } from "@localharness/workspace/changes/hold-to-examined";
import type { LossParts } from "@localharness/workspace/changes/old-content";
import { withLoss } from "@localharness/workspace/changes/with-loss";
import type { PathExaminer } from "@localharness/workspace/examine/planned-touch";
import { concernBelow } from "@localharness/workspace/files/protected-below";
import type { ReadLedger } from "@localharness/workspace/files/read-ledger";
import { removeTree } from "@localharness/workspace/files/remove-tree";
import { type Failure, refused, systemFailure } from "@localharness/workspace/outcome";
import type { Entry } from "@localharness/workspace/paths/handles";
import { closedFailure } from "@localharness/workspace/paths/probe-failure";
import { folderAliases } from "../parts/aliases.ts";
import { flagArgument, textArgument } from "../parts/arguments.ts";

interface Parts extends PathExaminer, LossParts {
  readonly ledger: ReadLedger;
}

export function remove(resources: Parts): Tool {
  return defineTool({
    name: "remove",
    description: "Delete a file or an empty folder; with recursive a folder and all in it.",
    parameters: {
      type: "object",
      properties: { path: { type: "string", format: "path" }, recursive: { type: "boolean" } },
      required: ["path"],
    },
    aliases: [
      "rm",
      "delete",
      "delete_file",
      "remove_file",
      "unlink",
      "delete_directory",
      "rmdir",
      "remove_directory",
    ],
    parameterAliases: { path: folderAliases, recursive: ["force", "recurse"] },
    risk: "high",
    readOnly: false,
    editsFiles: true,
    examine: (args) => examineRemoval(resources, args),
    foresee: async (args, _signal, mayShow) => (mayShow ? foreseen(resources, args) : undefined),
    execute: (args, context) => runChange(resources, context, (held) => removeEntry(held, args)),
  });
}

async function examineRemoval(resources: Parts, args: JsonObject): Promise<CallFacts> {
  const path = textArgument(args, "path") ?? "";
  const below = flagArgument(args, "recursive");
  const touches = [{ path, access: "write", entry: true, below }] as const;
  const effect = `removes ${JSON.stringify(path)}${below ? " with all that is in it" : ""}`;
  const plain = { ...resources.examinePaths(touches), effect };
  const place = resources.workspace.locateEntry(path);
  const facts = place.ok ? await withLoss(resources, plain, place.value.path, below) : plain;
  const concern =
    below && place.ok && place.value.stats?.isDirectory() === true
      ? concernBelow(resources.workspace, place.value.path)
      : undefined;
  return concern === undefined ? facts : { ...facts, concerns: [...(facts.concerns ?? []), concern] };
}

/** Returns the failure of a call that would remove nothing. */
function foreseen(resources: Parts, args: JsonObject): Failure | undefined {
  const path = textArgument(args, "path") ?? "";
  const opened = resources.workspace.openEntry(path);
  if (!opened.ok) return opened;
  using entry = opened.value;
  try {
    return refusal(resources, entry, args);
  } catch (error) {
    return systemFailure(error, path);
  }
}

/** Returns a failure for an entry that does not exist, holds closed files, or is a folder with entries that is not removed. */
function refusal({ workspace }: Parts, entry: Entry, args: JsonObject): Failure | undefined {
  const path = textArgument(args, "path") ?? "";
  if (entry.stats === undefined) {
    return refused(
      "not_found",
      `"${path}" does not exist, there is nothing to remove. Look at the folder with ls.`,
    );
  }
  if (workspace.holdsClosed(entry.path)) return closedFailure(path);
  if (!entry.stats.isDirectory() || flagArgument(args, "recursive")) return undefined;
  const inside = readdirSync(entry.directory.at(entry.name)).length;
  return inside === 0
    ? undefined
    : refused(
        "validation_failed",
        `"${entry.path}" is a folder with ${countText(inside, "entry", "entries")}; nothing was removed. Set recursive to true to remove it with all in it.`,
      );
}

async function removeEntry(resources: Parts, args: JsonObject): Promise<ToolOutput> {
  const path = textArgument(args, "path") ?? "";
  const opened = resources.workspace.openEntry(path);
  if (!opened.ok) return opened;
  using entry = opened.value;
  try {
    const failure = refusal(resources, entry, args);
    if (failure !== undefined) return failure;
    const what =
      entry.stats?.isDirectory() === true
        ? await removeFolder(resources, entry, flagArgument(args, "recursive"))
        : await removeOne(resources, entry);
    resources.ledger.forget(entry.path);
    return { ok: true, data: `Removed ${what}.`, achieved: [{ kind: "removed", subject: entry.path }] };
  } catch (error) {
    return systemFailure(error, path);
  }
}

async function removeOne(resources: Parts, entry: Entry): Promise<string> {
  await resources.changes.removing(entry);
  unlinkSync(entry.directory.at(entry.name));
  return entry.stats?.isSymbolicLink() === true
    ? `the link ${entry.path} (not what it points to)`
    : entry.path;
}

async function removeFolder(resources: Parts, entry: Entry, recursive: boolean): Promise<string> {
  const path = entry.directory.at(entry.name);
  const inside = readdirSync(path).length;
  // Without recursive the system refuses a folder that got an entry since.
  if (inside === 0 || !recursive) {
    await resources.changes.removing(entry);
    rmdirSync(path);
    return `the empty folder ${entry.path}/`;
  }
  await resources.changes.removing(entry);
  const removed = removeTree(path);
  return `the folder ${entry.path}/ with ${countText(removed.files, "file")} and ${countText(removed.folders - 1, "folder")} in it`;
}

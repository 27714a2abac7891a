/**
 * Lists every source that writes files. A confined command may put a link in place of a file where it can write, so the program writes
 * there only through the workspace, which follows no links. A new row says why no command can write at its place.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

/** Why a write is safe. */
type Reason =
  /** It is the door itself: the file is opened below an open folder, without following links. */
  | "workspace"
  /** The program's own folders for state, settings and caches, which commands cannot write. */
  | "own folder"
  /** A place that the person names. */
  | "named by the person"
  /** A new folder of the system's folder for temporary files, which no command may write. */
  | "temporary folder"
  /** A name that must not exist yet, where no link is followed. */
  | "new name"
  /** A file of the kernel. */
  | "kernel";

const writers: Readonly<Record<string, Reason>> = {
  "cli/src/commands/demo.ts": "temporary folder",
  "graph/src/store/open-database.ts": "own folder",
  "harness/src/host/message-history.ts": "own folder",
  "harness/src/mcp/server-permission.ts": "own folder",
  "harness/src/start/kept-code.ts": "own folder",
  "models/src/recordings/record.ts": "named by the person",
  "store/src/kept-file/file-lock.ts": "own folder",
  "store/src/sessions/change-session.ts": "own folder",
  "store/src/sessions/export/export-session.ts": "new name",
  "store/src/sessions/move-sessions.ts": "own folder",
  "store/src/sessions/session-lock.ts": "own folder",
  "store/src/sessions/session-writer.ts": "own folder",
  "commands/src/answers/tool-writes.ts": "own folder",
  "workspace/src/changes/change-folder.ts": "own folder",
  "workspace/src/files/replace-file.ts": "workspace",
  "workspace/src/files/write-journal.ts": "own folder",
  "processes/src/children/control-group.ts": "kernel",
  "processes/src/children/edit-text.ts": "new name",
  "processes/src/children/create-output-folder.ts": "own folder",
  "workspace/src/git-files/git-placeholders.ts": "new name",
  "processes/src/sandbox/holders.ts": "own folder",
  "processes/src/sandbox/host-files.ts": "new name",
  "processes/src/sandbox/rebases.ts": "own folder",
  "processes/src/sandbox/stand-ins.ts": "new name",
  "workspace/src/snapshots/content-packs.ts": "own folder",
  "workspace/src/snapshots/kept-index.ts": "own folder",
};

const imported = /import (\* as \w+|\w+|(?:type )?\{[^}]*\}) from "node:fs(?:\/promises)?"/g;
const writing = /\b(?:writeFile|appendFile|copyFile|cp|truncate)(?:Sync)?\b|\bcreateWriteStream\b/;
const opening = /\bopen(?:Sync)?\b/;
const forWriting = /\bO_(?:WRONLY|RDWR|CREAT|APPEND)\b|"(?:w|wx|a|ax|r\+)"/;

/** Returns true for a source that imports a function of `node:fs` with which files are written, or everything of it. */
function writes(source: string): boolean {
  return [...source.matchAll(imported)].some(
    ([, names = ""]) =>
      !names.includes("{") || writing.test(names) || (opening.test(names) && forWriting.test(source)),
  );
}

test("no source writes a file where a confined command can write, but by the workspace", () => {
  const sources = globSync("packages/*/src/**/*.ts", { cwd: root });
  expect(sources.length).toBeGreaterThan(500);
  const found = sources.filter((path) => writes(readFileSync(join(root, path), "utf8")));
  expect(found.map((path) => path.replace("packages/", "")).sort()).toEqual(Object.keys(writers).sort());
});

test.each([
  ['import { readFileSync, writeFileSync } from "node:fs";', true],
  ['import { writeFile } from "node:fs/promises";', true],
  ['import * as fs from "node:fs";', true],
  ['import fs from "node:fs";', true],
  ['import { openSync } from "node:fs"; openSync(path, "wx");', true],
  ['import { openSync } from "node:fs"; openSync(path, "r");', false],
  ['import { readFileSync, type Stats } from "node:fs";', false],
])("a source such as %j", (source, expected) => expect(writes(source)).toBe(expected));

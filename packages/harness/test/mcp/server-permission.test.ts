/** What a permission of a server is tied to, where commands may write to other folders than the workspace too. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEntries, type ServerEntry } from "@localharness/mcp/config";
import { outsidePrograms } from "@localharness/processes/children/outside-programs";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { expect, onTestFinished, test } from "vitest";
import { permissionOf } from "../../src/mcp/server-permission.ts";

async function place() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "lh-servers-")));
  onTestFinished(() => rmSync(top, { recursive: true }));
  for (const folder of ["ws", "writable", "other"]) {
    mkdirSync(join(top, folder));
    writeFileSync(join(top, folder, "server.mjs"), "");
  }
  symlinkSync(join(top, "writable"), join(top, "ws", "link"));
  const workspace = await openWorkspace(join(top, "ws"));
  onTestFinished(() => workspace.close());
  const { leadsIn } = outsidePrograms("", [workspace.root, join(top, "writable")]);
  return { top, around: { workspace, stateFolder: join(top, "state"), environment: {}, leadsIn } };
}

function entryOf(args: readonly string[], command: string, more: object): ServerEntry {
  const [entry] = readEntries(JSON.stringify({ mcpServers: { s: { command, args, ...more } } })).entries;
  if (entry === undefined) throw new Error(command);
  return entry;
}

const cannotBeCompared = { complete: false, runsFolder: true };

test.each([
  [
    "a file of a folder to which commands may write",
    "node",
    ["TOP/writable/server.mjs"],
    {},
    cannotBeCompared,
  ],
  ["a program there", "TOP/writable/server.mjs", [], {}, cannotBeCompared],
  ["a file there, by a link of the workspace", "node", ["./link/server.mjs"], {}, cannotBeCompared],
  ["a folder there in which it starts", "node", ["server.mjs"], { cwd: "TOP/writable" }, cannotBeCompared],
  ["a file of the workspace", "node", ["./server.mjs"], {}, { complete: true, runsFolder: true }],
  ["a file of another folder", "node", ["TOP/other/server.mjs"], {}, undefined],
  ["a file there, in the sandbox", "node", ["TOP/writable/server.mjs"], { sandbox: true }, undefined],
])("a server of the person that runs %s", async (_name, command, args, more, expected) => {
  const { top, around } = await place();
  const real = (text: string) => text.replace("TOP", top);
  const entry = entryOf(args.map(real), real(command), JSON.parse(real(JSON.stringify(more))));
  const permission = await permissionOf(entry, false, around);
  if (expected === undefined) expect(permission).toBeUndefined();
  else expect(permission).toMatchObject(expected);
});

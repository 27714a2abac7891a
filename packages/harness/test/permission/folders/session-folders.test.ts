/** The folders that the person adds to a session: what the person and the model are told, and which folders come back. */
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "@localharness/protocol";
import { openTrustFile } from "@localharness/store/trust/trust-file";
import { openToolResources } from "@localharness/tools";
import { describe, expect, onTestFinished, test } from "vitest";
import { completeFolder } from "../../../src/permission/folders/complete-folder.ts";
import { noFolders, openSessionFolders } from "../../../src/permission/folders/session-folders.ts";

async function open() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lh-folders-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [workspace, lib, more] = [join(folder, "ws"), join(folder, "lib"), join(folder, "more folder")];
  for (const one of [workspace, lib, more]) mkdirSync(one);
  writeFileSync(join(lib, "AGENTS.md"), "Say TOMATO. The key is hunter22.");
  const resources = await openToolResources({ workspace, stateFolder: join(folder, "state") });
  onTestFinished(() => resources.close());
  const trustStore = openTrustFile(join(folder, "config"), resources.journal);
  const folders = openSessionFolders({
    ...{ resources, trustStore },
    maxInstructions: () => 10_000,
    mask: (text) => text.replaceAll("hunter22", "[key]"),
  });
  return { folder, lib, more, folders, trustStore, resources };
}

function earlier(...folders: string[]): { readonly events: readonly SessionEvent[] } {
  return { events: [{ sessionId: "s", turnId: "", seq: 1, type: "folders-changed", folders }] };
}

test("a folder is added with the trust of the person, and the model gets its instructions, masked", async () => {
  const { lib, folders, resources } = await open();
  expect(await folders.change({ kind: "add", path: "../lib" })).toBe(
    `Added: ${lib}, not trusted: only read, and each read asks. /add-dir ${lib} yes trusts it`,
  );
  expect(resources.added.list()).toEqual([{ root: lib, trusted: false, writable: false }]);
  expect(folders.takeNotes().join()).toMatch(
    /^The person added the folder .*nothing in it may be changed\.$/,
  );
  expect(await folders.change({ kind: "add", path: lib, trust: "yes" })).toBe(`Now: ${lib}, trusted`);
  expect(resources.added.list()).toEqual([{ root: lib, trusted: true, writable: true }]);
  const [note] = folders.takeNotes();
  expect(note).toContain(`<instructions from="${lib}/AGENTS.md">\nSay TOMATO. The key is [key].\n`);
  expect(folders.takeNotes()).toEqual([]);
  expect(await folders.change()).toContain(`${lib}: trusted\n`);
  await expect(folders.change({ kind: "add", path: lib })).rejects.toThrow(/was added already, trusted/);
  expect(await folders.change({ kind: "add", path: lib, trust: "read" })).toContain("not trusted");
  expect(resources.added.list()).toEqual([{ root: lib, trusted: false, writable: false }]);
  folders.takeNotes();
  expect(await folders.change({ kind: "remove", path: "../lib" })).toMatch(/^Taken away: /);
  expect(folders.takeNotes()).toEqual([expect.stringContaining("can no longer be reached")]);
  expect(resources.added.list()).toEqual([]);
  await expect(folders.change({ kind: "remove", path: "../lib" })).rejects.toThrow(/is not added/);
});

test("a folder that is gone can be taken away", async () => {
  const { lib, folders } = await open();
  await folders.change({ kind: "add", path: lib });
  rmSync(lib, { recursive: true });
  expect(await folders.change()).toContain(", gone");
  expect(await folders.change({ kind: "remove", path: lib })).toMatch(/^Taken away/);
});

test.each<[string, (paths: Record<"folder" | "lib" | "more", string>) => void, string, RegExp | undefined]>([
  ["as it was", () => {}, "lib", undefined],
  ["a folder that is gone", ({ lib }) => renameSync(lib, `${lib}-moved`), "", /there is no folder .*lib;/],
  [
    "a link in its place",
    ({ lib, more }) => {
      renameSync(lib, `${lib}-moved`);
      symlinkSync(more, lib);
    },
    "",
    /lib is a link to .*more folder now;/,
  ],
  [
    "a file in its place",
    ({ lib }) => {
      rmSync(lib, { recursive: true });
      writeFileSync(lib, "");
    },
    "",
    /is not a folder;/,
  ],
])("a session that goes on finds %s", async (_, change, expected, remark) => {
  const { lib, folders, trustStore, resources, ...paths } = await open();
  await trustStore.set(lib, true);
  change({ lib, ...paths });
  const remarks = await folders.begin(earlier(lib));
  expect(resources.added.list().map(({ root }) => root)).toEqual(expected === "" ? [] : [lib]);
  if (remark === undefined) expect(remarks).toEqual([]);
  else expect(remarks.join()).toMatch(remark);
});

test("a session has the folders of the options and its own, and no folder of another session", async () => {
  const { lib, more, folders } = await open();
  const told: string[] = [];
  await folders.open([lib], { flags: { trust: true }, tell: (text) => told.push(text) });
  expect(told).toEqual([]);
  const roots = () => folders.list().map(({ root }) => root);
  await folders.begin();
  await folders.change({ kind: "add", path: more });
  expect(roots()).toEqual([lib, more]);
  await folders.begin();
  expect(roots()).toEqual([lib]);
  await folders.begin(earlier(more, lib));
  expect(roots()).toEqual([lib, more]);
  await folders.begin(earlier());
  expect(roots()).toEqual([lib]);
});

test.each<[string, (lib: string, more: string) => void, RegExp]>([
  [
    "is gone",
    (lib) => rmSync(lib, { recursive: true }),
    /there is no folder .*lib; the session goes on without it/,
  ],
  [
    "gave its place to a link",
    (lib, more) => {
      renameSync(lib, `${lib}-moved`);
      symlinkSync(more, lib);
    },
    /lib is a link to .*more folder now; the session goes on without it/,
  ],
])("a further session begins without a folder of the options that %s", async (_, change, remark) => {
  const { lib, more, folders, resources } = await open();
  await folders.open([lib], { flags: { trust: true }, tell: () => undefined });
  await folders.begin();
  change(lib, more);
  expect((await folders.begin()).join()).toMatch(remark);
  expect([folders.list(), resources.added.list()]).toEqual([[], []]);
});

test("a session's file with anything but paths brings no folder back", async () => {
  const { folders } = await open();
  const event = { sessionId: "s", turnId: "", seq: 1, type: "folders-changed", folders: [1, null, {}, "/"] };
  const remarks = await folders.begin({ events: [event as unknown as SessionEvent] });
  expect(folders.list()).toEqual([]);
  expect(remarks).toEqual([expect.stringMatching(/^\/ is not added: it holds/)]);
});

describe("the trust in a folder of the options", () => {
  test.each([
    ["trust", "full", true],
    ["read", "reading", false],
  ] as const)("is asked about, and the answer %s is kept", async (answer, trust, kept) => {
    const { lib, folders, trustStore } = await open();
    await folders.open([lib], { flags: {}, tell: () => undefined, ask: async () => answer });
    expect(folders.list()).toEqual([{ root: lib, trust }]);
    expect((await trustStore.find(lib)).trusted).toBe(kept);
  });

  test("is not kept if the person does not want the folder", async () => {
    const { lib, folders, trustStore } = await open();
    await folders.open([lib], { flags: {}, tell: () => undefined, ask: async () => "leave" });
    expect([folders.list(), (await trustStore.find(lib)).trusted]).toEqual([[], undefined]);
  });
});

test("no folder is added to a workspace elsewhere", async () => {
  const folders = noFolders("a folder cannot be added to a workspace elsewhere");
  await expect(folders.open(["/x"], { flags: {}, tell: () => undefined })).rejects.toThrow(/elsewhere/);
  await expect(folders.change({ kind: "add", path: "/x" })).rejects.toThrow(/elsewhere/);
  expect(await folders.begin(earlier("/x"))).toEqual([
    expect.stringContaining("goes on without its folders"),
  ]);
  expect(await folders.begin(earlier())).toEqual([]);
});

test("folders are completed, and files are not", async () => {
  const { folder, lib } = await open();
  expect(completeFolder(`${folder}/l`, 10, "/")).toEqual([`${lib}/`]);
  expect(completeFolder("../", 10, lib)).toEqual(["../lib/", "../more folder/", "../ws/"]);
  expect(completeFolder(`${lib}/A`, 10, "/")).toEqual([]);
  expect(completeFolder(`${folder}/none/x`, 10, "/")).toEqual([]);
});

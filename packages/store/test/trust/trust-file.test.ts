import { mkdir, mkdtemp, readFile, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, test } from "vitest";
import { openTrustFile, readTrustText } from "../../src/trust/trust-file.ts";

async function place() {
  const root = await mkdtemp(join(tmpdir(), "lh-trust-"));
  const workspace = join(root, "ws");
  await mkdir(workspace);
  const journal = createWriteJournal(join(root, "state"));
  const folder = join(root, "config");
  return { root, workspace, folder, path: join(folder, "trust.json"), store: openTrustFile(folder, journal) };
}

describe("trusted folders", () => {
  test("are kept by real path in a private file, changed and forgotten", async () => {
    const { store, workspace, path, root } = await place();
    expect(await store.find(workspace)).toEqual({ trusted: undefined });
    await store.set(workspace, false);
    expect(await store.find(workspace)).toEqual({ trusted: false });
    await store.set(workspace, true);
    expect(await store.find(workspace)).toEqual({ trusted: true });
    expect(await store.find(root)).toEqual({ trusted: undefined });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect([await store.forget(workspace), await store.forget(workspace)]).toEqual([true, false]);
    expect(await store.find(workspace)).toEqual({ trusted: undefined });
  });

  test("the decision about a repository holds in its folders, unless they have their own", async () => {
    const { store, root } = await place();
    const inner = join(root, "repo", "a", "b");
    await mkdir(inner, { recursive: true });
    await store.set(join(root, "repo"), true, "auto");
    expect(await store.find(inner)).toEqual({ trusted: undefined });
    await mkdir(join(root, "repo", ".git"));
    expect(await store.find(inner)).toEqual({ trusted: true, mode: "auto" });
    await store.set(inner, false);
    expect(await store.find(inner)).toEqual({ trusted: false });
    await mkdir(join(root, "repo", "a", ".git"));
    expect(await store.find(join(root, "repo", "a"))).toEqual({ trusted: undefined });
  });

  test("a folder of another owner is another folder", async () => {
    const { store, workspace, path } = await place();
    await store.set(workspace, true);
    const kept = JSON.parse(await readFile(path, "utf8"));
    kept.folders[0].owner += 1;
    await writeFile(path, JSON.stringify(kept));
    expect(await store.find(workspace)).toEqual({ trusted: undefined });
  });

  test("a damaged file trusts nothing and is kept aside", async () => {
    const { store, workspace, path } = await place();
    await store.set(workspace, true);
    await writeFile(path, (await readFile(path, "utf8")).slice(0, 50));
    expect(await store.find(workspace)).toEqual({
      trusted: undefined,
      warning: expect.stringMatching(/trust\.json is damaged .*: it is kept as .*broken-/),
    });
  });

  test("without a home folder nothing is trusted and the person learns why it is not kept", async () => {
    const { workspace, root } = await place();
    const store = openTrustFile(undefined, createWriteJournal(join(root, "state")));
    expect(await store.find(workspace)).toEqual({ trusted: undefined });
    await expect(store.set(workspace, true)).rejects.toThrow(/set HOME or XDG_CONFIG_HOME/);
  });
});

test.each([
  ["no JSON", "{", "line 1"],
  ["a list", "[]", "expected an object"],
  ["no version", '{"folders":[]}', 'expected "version": 1'],
  ["a key twice", '{"version":1,"version":1,"folders":[]}', "line 1"],
  [
    "text for a boolean",
    '{"version":1,"folders":[{"path":"/a","owner":0,"trusted":"true","decided":1}]}',
    "expected path",
  ],
])("text with %s is damaged", (_title, text, problem) => {
  const found = readTrustText(text);
  expect(found.kind).toBe("broken");
  expect(found.kind === "broken" ? found.problem : "").toContain(problem);
});

test("text of a later version is known as that", () => {
  expect(readTrustText('{"version":2,"folders":7}')).toEqual({ kind: "newer", version: 2 });
});

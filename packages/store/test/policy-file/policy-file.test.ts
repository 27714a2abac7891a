/** Checks remembered answers on disk: several processes lose nothing, and no fault makes the file allow more. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PolicyRule } from "@localharness/engine";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { describe, expect, test } from "vitest";
import { openPolicyFile } from "../../src/policy-file/policy-file.ts";
import { writePolicyText } from "../../src/policy-file/policy-rules.ts";

const rule = (id: string): PolicyRule => ({
  id,
  decision: "allow",
  justification: "test",
  tool: "ls",
  origin: "user",
});

async function place() {
  const folder = join(await mkdtemp(join(tmpdir(), "lh-policy-")), "localharness");
  const path = join(folder, "policies.json");
  const journal = createWriteJournal(await mkdtemp(join(tmpdir(), "lh-state-")));
  return { folder, path, store: openPolicyFile(folder, journal), journal };
}

async function ids(store: { load(): Promise<{ rules: readonly PolicyRule[] }> }): Promise<string[]> {
  return (await store.load()).rules.map((one) => one.id);
}

describe("ZodoLlama: remembered answers in policies.json", () => {
  test("keeps rules in a private file, replaces one of the same id, forgets one", async () => {
    const { store, path } = await place();
    expect(await store.load()).toEqual({ rules: [], warnings: [], incomplete: false, mark: "missing" });
    await store.add(rule("a"));
    await store.add(rule("b"));
    await store.add({ ...rule("a"), tool: "bash" });
    expect((await store.load()).rules).toEqual([rule("b"), { ...rule("a"), tool: "bash" }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect([await store.forget("b"), await store.forget("b")]).toEqual([true, false]);
    expect(await ids(store)).toEqual(["a"]);
  });

  test("an answer replaces the answers that it covers, and no rule that the person wrote", async () => {
    const { store } = await place();
    const answer = (id: string, more: Partial<PolicyRule>) => ({
      ...rule(id),
      tool: "bash",
      workspace: "/w",
      ...more,
    });
    await store.add(answer("remember:a", { scope: "a", within: "any" }));
    await store.add(answer("remember:b", { scope: "b" }));
    await store.add(answer("mine", { scope: "a", within: "any" }));
    await store.add(answer("remember:any", { scope: "any" }));
    expect(await ids(store)).toEqual(["remember:b", "mine", "remember:any"]);
  });

  test("twenty processes that add at once lose nothing", async () => {
    const { store, folder } = await place();
    const program = join(import.meta.dirname, "../fixtures/add-rules.ts");
    const children = Array.from({ length: 20 }, (_, number) =>
      spawn(process.execPath, [program, folder, String(number), "3"], {
        stdio: ["ignore", "inherit", "inherit"],
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual(codes.map(() => 0));
    const wanted = Array.from({ length: 20 }, (_, number) =>
      [0, 1, 2].map((round) => `rule-${number}-${round}`),
    );
    expect((await ids(store)).toSorted()).toEqual(wanted.flat().toSorted());
    expect(await readdir(folder)).toEqual(["policies.json"]);
  });

  test("a torn file is kept aside, the person is told, answers begin empty", async () => {
    const { store, folder, path } = await place();
    await store.add(rule("a"));
    const torn = (await readFile(path, "utf8")).slice(0, 40);
    await writeFile(path, torn);
    const { rules, warnings, incomplete } = await store.load();
    expect([rules, incomplete]).toEqual([[], true]);
    const unread = expect.stringMatching(/broken-.* may hold rules that forbid something/);
    expect(warnings).toEqual([
      expect.stringMatching(/is damaged \(line \d+: .*\): it is kept as .*broken-/),
      unread,
    ]);
    const aside = (await readdir(folder)).filter((name) => name.includes(".broken-"));
    expect(await readFile(join(folder, aside[0] ?? ""), "utf8")).toBe(torn);
    await store.add(rule("b"));
    expect(await ids(store)).toEqual(["b"]);
    // The person has not checked the damaged file yet, and it may hold a deny.
    expect(await store.load()).toMatchObject({ warnings: [unread], incomplete: true });
    await rm(join(folder, aside[0] ?? ""));
    expect(await store.load()).toMatchObject({ warnings: [], incomplete: false });
  });

  test("an answer to remember is kept also when the file turns out damaged just then", async () => {
    const { store, folder, path } = await place();
    await mkdir(folder, { recursive: true });
    await writeFile(path, "{");
    await store.add(rule("a"));
    expect(await ids(store)).toEqual(["a"]);
    expect((await readdir(folder)).filter((name) => name.includes(".broken-"))).toHaveLength(1);
  });

  test("a file of a later version is left as it is and is not written to", async () => {
    const { store, folder, path } = await place();
    await mkdir(folder, { recursive: true });
    await writeFile(path, '{"version": 9, "rules": {}}');
    expect(await store.load()).toEqual({
      rules: [],
      warnings: [expect.stringMatching(/later version \(9,/)],
      incomplete: true,
      mark: expect.any(String),
    });
    await expect(store.add(rule("a"))).rejects.toThrow(/later version/);
    expect(await readFile(path, "utf8")).toBe('{"version": 9, "rules": {}}');
    expect(await readdir(folder)).toEqual(["policies.json"]);
  });

  test("a link to a file elsewhere stays a link", async () => {
    const { store, folder, path } = await place();
    const elsewhere = join(await mkdtemp(join(tmpdir(), "lh-elsewhere-")), "mine.json");
    await writeFile(elsewhere, writePolicyText([rule("a")]), { mode: 0o600 });
    await mkdir(folder, { recursive: true });
    await symlink(elsewhere, path);
    await store.add(rule("b"));
    expect(JSON.parse(await readFile(elsewhere, "utf8")).rules).toHaveLength(2);
  });

  test("a lock that a dead process left is broken", async () => {
    const { store, folder, path } = await place();
    await mkdir(folder, { recursive: true });
    const child = spawn(process.execPath, ["-e", "0"]);
    await once(child, "exit");
    const { hostname } = await import("node:os");
    await writeFile(`${path}.lock`, JSON.stringify({ pid: child.pid, host: hostname(), token: "x" }));
    await store.add(rule("a"));
    expect(await ids(store)).toEqual(["a"]);
    expect(await readdir(folder)).toEqual(["policies.json"]);
  });

  test("what cannot be written is refused with the reason", async () => {
    const { folder, journal } = await place();
    await writeFile(folder, "a file where the folder should be");
    const store = openPolicyFile(folder, journal);
    await expect(store.add(rule("a"))).rejects.toThrow(/policies\.json could not be written: E/);
    expect(await store.load()).toMatchObject({
      warnings: [expect.stringMatching(/cannot be read/), expect.stringMatching(/cannot be listed/)],
      incomplete: true,
    });
  });

  test("without a home folder nothing is kept and the person learns why", async () => {
    const { journal } = await place();
    const store = openPolicyFile(undefined, journal);
    expect(await store.load()).toEqual({ rules: [], warnings: [] });
    await expect(store.add(rule("a"))).rejects.toThrow(/set HOME or XDG_CONFIG_HOME/);
  });
});

describe("rules that another process changes", () => {
  const stillHold = /\. The rules that were read before still hold, and until .* you are asked/;

  test("are read again only when the file is another one", async () => {
    const { store, folder, journal } = await place();
    const { mark = "" } = await store.load();
    expect(await store.newer?.(mark)).toBeUndefined();
    await openPolicyFile(folder, journal).add(rule("a"));
    const changed = await store.newer?.(mark);
    expect(changed).toMatchObject({ rules: [rule("a")], warnings: [], incomplete: false });
    expect(await store.newer?.(changed?.mark ?? "")).toBeUndefined();
  });

  test.each<readonly [string, (path: string) => Promise<unknown>, RegExp]>([
    ["damaged", (path) => writeFile(path, "{"), /policies\.json is damaged \(line 1/],
    ["of a later version", (path) => writeFile(path, '{"version": 9}'), /later version \(9/],
    ["gone", (path) => rm(path), /policies\.json is gone/],
    ["unreadable", async (path) => mkdir(await rm(path).then(() => path)), /cannot be read/],
  ])("are not known while the file is %s, and the file stays as it is", async (_title, spoil, why) => {
    const { store, folder, path } = await place();
    await store.add(rule("a"));
    const { mark = "" } = await store.load();
    await spoil(path);
    const names = await readdir(folder);
    const spoilt = await store.newer?.(mark);
    expect(spoilt).toMatchObject({ rules: [], incomplete: true });
    expect(spoilt?.warnings).toEqual([expect.stringMatching(why)]);
    expect(spoilt?.warnings[0]).toMatch(stillHold);
    expect(await store.newer?.(spoilt?.mark ?? "")).toBeUndefined();
    expect(await readdir(folder)).toEqual(names);
  });
});

/** The rules of folders that the person adds to a session: they restrict, and hold while the folder is added and trusted. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LoadedRules, PolicyStore } from "@localharness/engine";
import { expect, onTestFinished, test } from "vitest";
import { withAddedRules } from "../../src/policy-file/added-rules.ts";

function folderWith(text: string): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-added-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, ".localharness"));
  writeFileSync(join(root, ".localharness/policy.json"), text);
  return root;
}

const rulesFile = (...rules: readonly object[]) => JSON.stringify({ version: 2, rules });

/** Returns a store of the person whose rules change when `change` is called. */
function persons() {
  let mark = 1;
  const own = (): LoadedRules => ({
    rules: [{ id: `own-${mark}`, decision: "ask", justification: "" }],
    warnings: [],
    mark: String(mark),
  });
  const store: PolicyStore = {
    load: async () => own(),
    newer: async (since) => (since === String(mark) ? undefined : own()),
    add: async () => undefined,
    forget: async () => true,
  };
  return {
    store,
    change: () => {
      mark += 1;
    },
  };
}

const idsOf = (loaded: LoadedRules | undefined) =>
  loaded?.rules.map(({ id, path }) => [id, ...[path ?? []].flat()].join(" "));

test("patterns are those of the folder, and rules that allow stay marked as the project's", async () => {
  const lib = folderWith(
    rulesFile(
      { id: "a", decision: "deny", path: ["src/*", "/etc"] },
      { id: "b", decision: "allow", tool: "bash" },
    ),
  );
  const { rules } = await withAddedRules(persons().store, () => [lib]).load();
  expect(rules).toMatchObject([
    { id: "own-1" },
    { id: "project:a", origin: "project", path: [`${lib}/src/*`, "/etc"] },
    { id: "project:b", origin: "project", decision: "allow" },
  ]);
});

test("rules come and go with the folder, beside those of the person", async () => {
  const lib = folderWith(rulesFile({ id: "a", decision: "deny", path: "x" }));
  const { store, change } = persons();
  const trusted: string[] = [];
  const joined = withAddedRules(store, () => trusted);
  let { mark = "" } = await joined.load();
  const newer = async () => {
    const loaded = await joined.newer?.(mark);
    mark = loaded?.mark ?? mark;
    return idsOf(loaded);
  };
  expect(await newer()).toBeUndefined();
  trusted.push(lib);
  expect(await newer()).toEqual(["own-1", `project:a ${lib}/x`]);
  expect(await newer()).toBeUndefined();
  // A tool that changes the file makes no rule laxer.
  writeFileSync(join(lib, ".localharness/policy.json"), rulesFile());
  change();
  expect(await newer()).toEqual(["own-2", `project:a ${lib}/x`]);
  trusted.pop();
  expect(await newer()).toEqual(["own-2"]);
});

test("a file that cannot be used makes calls with a risk ask, and names the folder", async () => {
  const lib = folderWith("{");
  const loaded = await withAddedRules(persons().store, () => [lib]).load();
  expect(loaded).toMatchObject({ incomplete: true, warnings: [expect.stringContaining(lib)] });
});

test("a folder that is gone has no rules, and a store without marks is asked again for folders only", async () => {
  const bare: PolicyStore = {
    load: async () => ({ rules: [], warnings: [] }),
    add: async () => undefined,
    forget: async () => true,
  };
  const joined = withAddedRules(bare, () => ["/none/at/all"]);
  const { mark = "", ...loaded } = await joined.load();
  expect(loaded).toEqual({ rules: [], warnings: [], incomplete: false });
  expect(await joined.newer?.(mark)).toBeUndefined();
});

import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PolicyStore } from "@localharness/engine";
import { readProjectRules, withProjectRules } from "@localharness/store/policy-file/project-rules";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { expect, test } from "vitest";
import { readProjectHooks } from "../src/permission/hooks/project-hooks.ts";
import { withRunRules } from "../src/permission/run-rules/run-rules.ts";

function projectWith(text?: string) {
  const root = mkdtempSync(join(tmpdir(), "lh-project-"));
  mkdirSync(join(root, "ws", ".localharness"), { recursive: true });
  const path = join(root, "ws", ".localharness", "policy.json");
  if (text !== undefined) writeFileSync(path, text);
  return { root, path, workspace: openWorkspace(join(root, "ws")) };
}

const file = (...rules: readonly object[]) => JSON.stringify({ version: 2, rules });
const own: PolicyStore = {
  load: async () => ({ rules: [{ id: "own", decision: "deny", justification: "" }], warnings: ["own"] }),
  add: async () => undefined,
  forget: async () => true,
};

test("no file is no rules", async () => {
  const { workspace } = projectWith();
  expect(await readProjectRules(await workspace)).toEqual({ rules: [], warnings: [] });
});

test("a file in place of the folder, which is there while another process runs a command, has no rules and no hooks", async () => {
  const root = mkdtempSync(join(tmpdir(), "lh-project-"));
  writeFileSync(join(root, ".localharness"), "", { mode: 0o400 });
  const workspace = await openWorkspace(root);
  expect(await readProjectRules(workspace)).toEqual({ rules: [], warnings: [] });
  expect(await readProjectHooks(workspace, undefined)).toEqual({ kind: "none" });
});

test("rules come beside the person's, named and marked as the project's", async () => {
  const { workspace } = projectWith(
    file({ id: "own", decision: "deny" }, { id: "remember:x", decision: "allow" }),
  );
  expect(await withProjectRules(own, await workspace).load()).toEqual({
    rules: [
      { id: "own", decision: "deny", justification: "" },
      { id: "project:own", decision: "deny", justification: "", origin: "project" },
      { id: "project:remember:x", decision: "allow", justification: "", origin: "project" },
    ],
    warnings: ["own"],
    incomplete: false,
  });
});

test.each([
  ["no JSON", "{", /cannot be used: line 1/],
  ["a key that is unknown", file({ id: "x", decision: "deny", pathh: "a" }), /unknown key "pathh"/],
  ["a later version", '{"version": 3, "rules": []}', /later version \(3\)/],
  ["no rules at all", "", /cannot be used/],
  ["a megabyte and more", `${" ".repeat(1_000_000)}${file()}`, /more than 1000000 bytes/],
])("a file that cannot be used makes the rules incomplete: %s", async (_title, text, problem) => {
  const { workspace } = projectWith(text);
  const read = await readProjectRules(await workspace);
  expect(read).toMatchObject({ rules: [], incomplete: true });
  expect(read.warnings).toEqual([expect.stringMatching(problem)]);
});

test("a file that lies elsewhere, or is none, is not read", async () => {
  const linked = projectWith();
  writeFileSync(join(linked.root, "elsewhere.json"), file({ id: "x", decision: "deny" }));
  symlinkSync(join(linked.root, "elsewhere.json"), linked.path);
  expect(await readProjectRules(await linked.workspace)).toMatchObject({ rules: [], incomplete: true });
  const folder = projectWith();
  mkdirSync(folder.path);
  expect(await readProjectRules(await folder.workspace)).toMatchObject({ rules: [], incomplete: true });
});

test("the project's rules stay as they were loaded when the person's rules change", async () => {
  const { workspace, path } = projectWith(file({ id: "x", decision: "deny" }));
  const added = { id: "new", decision: "allow", justification: "" } as const;
  const changing: PolicyStore = {
    ...own,
    newer: async (mark) => (mark === "now" ? undefined : { rules: [added], warnings: [], mark: "now" }),
  };
  const store = withRunRules(withProjectRules(changing, await workspace), [{ ...added, id: "run" }]);
  await store.load();
  writeFileSync(path, file());
  expect((await store.newer?.("before"))?.rules.map(({ id }) => id)).toEqual(["run", "new", "project:x"]);
  expect(await store.newer?.("now")).toBeUndefined();
});

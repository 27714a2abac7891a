import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createWriteJournal } from "@localharness/workspace/files/write-journal";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { expect, onTestFinished, test } from "vitest";
import { openAllowedHooks } from "../../../src/permission/hooks/allowed-hooks.ts";
import { loadHooks } from "../../../src/permission/hooks/load-hooks.ts";
import { readProjectHooks } from "../../../src/permission/hooks/project-hooks.ts";

async function place() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "localharness-hooks-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const ws = join(root, "ws");
  mkdirSync(ws);
  const workspace = await openWorkspace(ws);
  onTestFinished(() => workspace.close());
  const allowed = openAllowedHooks(join(root, "config"), createWriteJournal(join(root, "state")));
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(ws, path)), { recursive: true });
    writeFileSync(join(ws, path), text);
  };
  const hooks = (...command: readonly string[]) =>
    put(".localharness/hooks.json", JSON.stringify({ hooks: [{ event: "before-tool", command }] }));
  return { root, ws, workspace, allowed, put, hooks };
}

/** No folder of the program: then no hook may run outside the sandbox. */
const here = { stateFolder: undefined, sandboxed: true } as const;

const own = { event: "turn-end", command: ["mine"] } as const;

test("a project's hooks run once they are allowed as they are, and stop when they or their scripts change", async () => {
  const { ws, workspace, allowed, put, hooks } = await place();
  const load = () => loadHooks([own], workspace, allowed, here);
  const allow = async () => {
    const project = await readProjectHooks(workspace, undefined);
    if (project.kind !== "hooks") throw new Error(JSON.stringify(project));
    await allowed.allow(workspace.root, project.hash);
  };
  expect(await load()).toEqual({ hooks: [own], warnings: [] });
  put("scripts/check.sh", "exit 0");
  put("data.txt", "1");
  hooks("scripts/check.sh", "--data", "data.txt");
  const first = await load();
  expect(first.hooks).toEqual([own]);
  expect(first.warnings[0]).toMatch(/project has hooks.*scripts\/check\.sh --data data\.txt.*do not run/);
  await allow();
  const command = [join(ws, "scripts/check.sh"), "--data", "data.txt"];
  expect(await load()).toEqual({
    hooks: [own, { event: "before-tool", command, confined: true, ofProject: true }],
    warnings: [],
  });

  put("scripts/check.sh", "exit 1");
  expect((await load()).hooks).toEqual([own]);
  await allow();
  put("data.txt", "2");
  expect((await load()).hooks).toEqual([own]);
  await allow();
  hooks("scripts/check.sh");
  expect((await load()).hooks).toEqual([own]);
  await allow();
  expect((await load()).hooks).toHaveLength(2);
  expect(await allowed.forget(workspace.root)).toBe(true);
  expect((await load()).hooks).toEqual([own]);
});

test("in a folder that is not trusted nothing of it is read", async () => {
  const { allowed, hooks } = await place();
  hooks("/usr/bin/true");
  expect(await loadHooks([own], undefined, allowed, here)).toEqual({ hooks: [own], warnings: [] });
});

test.each([
  ["no JSON", "{", "expected a list such as"],
  ["another shape", '{"hooks":{"a":1}}', "expected a list such as"],
  [
    "an unknown key",
    '{"hooks":[{"event":"turn-end","command":["x"],"allow":true}]}',
    "expected a list such as",
  ],
])("%s is said, and no hook of it runs", async (_title, text, problem) => {
  const { workspace, allowed, put } = await place();
  put(".localharness/hooks.json", text);
  const { hooks, warnings } = await loadHooks([own], workspace, allowed, here);
  expect(hooks).toEqual([own]);
  expect(warnings[0]).toContain(problem);
});

test("a script that leads out of the folder is no script of the project", async () => {
  const { root, ws, workspace, hooks } = await place();
  writeFileSync(join(root, "outside.sh"), "exit 0");
  mkdirSync(join(ws, "scripts"));
  symlinkSync(join(root, "outside.sh"), join(ws, "scripts/check.sh"));
  hooks("scripts/check.sh");
  expect((await readProjectHooks(workspace, undefined)).kind).toBe("broken");
});

test.each<[string[], string]>([
  [["sh", "-c", "scripts/c.sh --strict"], "scripts/c.sh"],
  [["sh", "-c", "true&&'scripts/c.sh'|cat"], "scripts/c.sh"],
  [["node", "--import=./scripts/c.sh", "-e", "0"], "./scripts/c.sh"],
])("a script within a word is compared: %j", async (command, path) => {
  const { workspace, put, hooks } = await place();
  put("scripts/c.sh", "exit 0");
  hooks(...command);
  const before = await readProjectHooks(workspace, undefined);
  expect(before).toMatchObject({ kind: "hooks", compared: [path] });
  put("scripts/c.sh", "exit 1");
  const after = await readProjectHooks(workspace, undefined);
  expect(after.kind === "hooks" && before.kind === "hooks" && after.hash !== before.hash).toBe(true);
});

test("a file of the project that is named as a program without a slash is not compared, because PATH has another", async () => {
  const { workspace, put, hooks } = await place();
  put("check.sh", "exit 0");
  hooks("check.sh", "check.sh");
  expect(await readProjectHooks(workspace, undefined)).toMatchObject({ compared: ["check.sh"] });
  hooks("check.sh");
  expect(await readProjectHooks(workspace, undefined)).toMatchObject({ compared: [] });
});

test("a folder that is named is not compared", async () => {
  const { workspace, put, hooks } = await place();
  put("src/a.ts", "1");
  hooks("eslint", "src/", "src");
  expect(await readProjectHooks(workspace, undefined)).toMatchObject({ kind: "hooks", compared: [] });
});

test.each<[command: string[], changed: string, content: string]>([
  [["npm", "run", "check"], "package.json", '{"scripts":{"check":"touch PWNED"}}'],
  [["npm", "run", "check"], "check.js", "changed"],
  [["make", "check"], "Makefile", "check:\n\ttouch PWNED\n"],
  [["make", "check"], "GNUmakefile", "check:\n\ttouch PWNED\n"],
  [["make", "check"], "ci.sh", "touch PWNED"],
  [["python3", "-m", "tools.check"], "tools/check.py", "changed"],
  [["python3", "-m", "tools.check"], "tools/aid.py", "changed"],
  [["python3", "-m", "tools.check"], "json.py", "changed"],
  [["node", "check.js"], "lib.js", "changed"],
  [["sh", "-c", "cat list.txt | xargs -I% sh -c 'bash %'; bash ci.sh"], "part.sh", "changed"],
  [["scripts/check.sh"], "part.sh", "changed"],
])("%j does not run when %s has changed", async (command, changed, content) => {
  const { root, workspace, allowed, put, hooks } = await place();
  put("package.json", '{"scripts":{"check":"node check.js"}}');
  put("check.js", 'require("./lib.js");');
  put("lib.js", "1");
  put("Makefile", "check:\n\tbash ci.sh\n");
  put("ci.sh", ". ./part.sh\n");
  put("part.sh", "true\n");
  put("scripts/check.sh", "#!/bin/sh\n. ./part.sh\n");
  put("tools/check.py", "import tools.aid, json\n");
  put("tools/aid.py", "\n");
  hooks(...command);
  const state = join(root, "state");
  for (const stateFolder of [undefined, state]) {
    const project = await readProjectHooks(workspace, stateFolder);
    if (project.kind !== "hooks") throw new Error(JSON.stringify(project));
    const load = async () => await loadHooks([], workspace, allowed, { stateFolder, sandboxed: true });
    const hash = stateFolder === undefined ? project.hash : project.outsideHash;
    if (hash === undefined) continue;
    await allowed.allow(workspace.root, hash);
    const confined = stateFolder === undefined ? { confined: true } : {};
    expect((await load()).hooks).toMatchObject([{ event: "before-tool", ...confined }]);
    put(changed, `${content}${stateFolder ?? ""}`);
    const after = await load();
    expect(after.hooks).toEqual([]);
    expect(after.warnings[0]).toContain("They are new or changed, and do not run.");
  }
});

test("without a sandbox they run only if they were allowed outside of it", async () => {
  const { root, workspace, allowed, put, hooks } = await place();
  put("check.js", "1");
  hooks("node", "check.js");
  const stateFolder = join(root, "state");
  const project = await readProjectHooks(workspace, stateFolder);
  if (project.kind !== "hooks" || project.outsideHash === undefined) throw new Error("cannot be compared");
  const load = async () => await loadHooks([], workspace, allowed, { stateFolder, sandboxed: false });
  await allowed.allow(workspace.root, project.hash);
  expect(await load()).toMatchObject({ hooks: [], warnings: [expect.stringContaining("no sandbox here")] });
  await allowed.allow(workspace.root, project.outsideHash);
  expect(await load()).toMatchObject({ hooks: [{ event: "before-tool" }], warnings: [] });
});

test("what cannot be compared is allowed in the sandbox only", async () => {
  const { root, workspace, hooks } = await place();
  hooks("turbo", "run", "check");
  const project = await readProjectHooks(workspace, join(root, "state"));
  expect(project.kind === "hooks" && project.outsideHash === undefined).toBe(true);
});

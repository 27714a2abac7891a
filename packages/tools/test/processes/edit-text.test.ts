/** Checks which editor is started, and what keeps the text as it was. */
import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editText } from "@localharness/processes/children/edit-text";
import { openToolResources } from "@localharness/tools";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";

async function open(path: string) {
  const state = temporaryFolder();
  const workspace = temporaryFolder();
  const resources = await openToolResources({ workspace, stateFolder: state, environment: { PATH: path } });
  onTestFinished(() => resources.close());
  return { state, workspace, resources };
}

test.each([
  ["true # ", { kind: "edited", text: "a draft\n" }],
  ["printf 'more\\r\\n\\n' >", { kind: "edited", text: "more\r\n" }],
  [
    "exit 7;",
    { kind: "kept", message: expect.stringMatching(/ended with exit code 7; the message stays as it was$/) },
  ],
  ["kill -9 $$;", { kind: "kept", message: expect.stringContaining("was ended by SIGKILL") }],
  ["rm", { kind: "kept", message: expect.stringContaining("has removed the message's file") }],
  ["no-such-editor", { kind: "kept", message: expect.stringContaining("ended with exit code 127") }],
  [
    "head -c 11000000 /dev/zero >",
    { kind: "kept", message: expect.stringContaining("the limit is 10.0 MB") },
  ],
])("the editor %j", async (editor, outcome) => {
  const { state, resources } = await open("/usr/bin:/bin");
  expect(await editText(resources, { EDITOR: editor }, "a draft\n\n")).toEqual(outcome);
  const [folder = ""] = readdirSync(state).filter((name) => name.startsWith("outputs-"));
  expect(readdirSync(join(state, folder))).toEqual([]);
});

test("without an editor, a program of the workspace is none, and the person is told what to set", async () => {
  const { workspace, resources } = await open("/nonexistent");
  writeFileSync(join(workspace, "vi"), "#!/bin/sh\n", { mode: 0o755 });
  const message = expect.stringContaining("neither nano nor vi is installed: set VISUAL or EDITOR");
  expect(await editText(resources, { PATH: workspace }, "x")).toEqual({ kind: "kept", message });
});

test.each(["bin/edit", "./edit --wait", "'WS/edit'", "LINK/edit"])(
  "the editor %j of the workspace is not started",
  async (editor) => {
    const { workspace, resources } = await open("/usr/bin:/bin");
    const link = join(temporaryFolder(), "link");
    symlinkSync(workspace, link);
    writeFileSync(join(workspace, "edit"), "#!/bin/sh\n: > started\n", { mode: 0o755 });
    const set = editor.replace("WS", workspace).replace("LINK", link);
    const message = expect.stringContaining("is no program outside of the workspace");
    expect(await editText(resources, { EDITOR: set }, "x")).toEqual({ kind: "kept", message });
    expect(existsSync(join(workspace, "started"))).toBe(false);
  },
);

test("an editor by name is not one of the workspace that PATH names first", async () => {
  const workspace = temporaryFolder();
  const state = temporaryFolder();
  const environment = { PATH: `${join(workspace, "bin")}:/usr/bin:/bin` };
  mkdirSync(join(workspace, "bin"));
  writeFileSync(join(workspace, "bin/true"), "#!/bin/sh\n: > ../started\n", { mode: 0o755 });
  const resources = await openToolResources({ workspace, stateFolder: state, environment });
  onTestFinished(() => resources.close());
  expect(await editText(resources, { EDITOR: "true" }, "x")).toEqual({ kind: "edited", text: "x" });
  expect(existsSync(join(workspace, "started"))).toBe(false);
});

test("an editor that still runs when the program ends is ended", async () => {
  const { state, resources } = await open("/usr/bin:/bin");
  const started = join(state, "started");
  const edit = editText(resources, { EDITOR: `: > ${started}; sleep 600;` }, "x");
  await expect.poll(() => existsSync(started)).toBe(true);
  await resources.endChildren();
  expect(await edit).toMatchObject({ kind: "kept" });
});

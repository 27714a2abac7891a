/** Checks which editor is started, and what keeps the text as it was. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { editText, openToolResources } from "@localharness/tools";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../bench.ts";

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

test("an editor that still runs when the program ends is ended", async () => {
  const { state, resources } = await open("/usr/bin:/bin");
  const started = join(state, "started");
  const edit = editText(resources, { EDITOR: `: > ${started}; sleep 600;` }, "x");
  await expect.poll(() => existsSync(started)).toBe(true);
  await resources.endChildren();
  expect(await edit).toMatchObject({ kind: "kept" });
});

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWorkspace } from "@localharness/workspace/paths/open-workspace";
import { expect, test } from "vitest";
import { readProjectRules } from "../../src/policy-file/project-rules.ts";

const root = () => realpathSync(mkdtempSync(join(tmpdir(), "lh-held-")));

test("a socket with which a sandbox holds the absent folder counts as no rules", async () => {
  const folder = root();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(join(folder, ".localharness"), resolve));
  try {
    const workspace = await openWorkspace(folder);
    expect(await readProjectRules(workspace)).toEqual({ rules: [], warnings: [] });
    workspace.close();
  } finally {
    server.close();
  }
});

test("rules that cannot be read still make calls ask", async () => {
  const folder = root();
  mkdirSync(join(folder, ".localharness"));
  writeFileSync(join(folder, ".localharness", "policy.json"), "{");
  const workspace = await openWorkspace(folder);
  expect(await readProjectRules(workspace)).toMatchObject({ incomplete: true });
  workspace.close();
});

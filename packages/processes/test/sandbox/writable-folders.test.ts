/** Commands in the sandbox write to the folders of `sandbox_writable`, and to no protected name in them. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSandbox } from "../../src/sandbox/open-sandbox.ts";
import { sandboxState } from "../../src/sandbox/sandbox-status.ts";
import { createWritableFolders } from "../../src/sandbox/writable-folders.ts";
import { ripgrepPath } from "../../src/search/ripgrep.ts";
import { runWrapped } from "./run-wrapped.ts";

function makeFolders() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-writable-")));
  const [workspace, more] = [join(root, "ws"), join(root, "more")];
  mkdirSync(join(workspace, "inside"), { recursive: true });
  execFileSync("git", ["init", "-q", more]);
  mkdirSync(join(more, "sub/.vscode"), { recursive: true });
  writeFileSync(join(more, "sub/.envrc"), "there\n");
  return { root, workspace, more };
}

test("protected names in it are closed, at its top and below", () => {
  const { workspace, more } = makeFolders();
  const folders = createWritableFolders({
    workspace,
    writable: [more, join(workspace, "inside"), "/absent"],
  });
  const closed = folders.closed();
  const expected = [".envrc", ".npmrc", ".git/config", ".git/hooks", "sub/.vscode", "sub/.envrc"];
  expect(closed).toEqual(expect.arrayContaining(expected.map((name) => join(more, name))));
  expect(closed.filter((path) => !path.startsWith(`${more}/`))).toEqual([]);
});

test("those in subfolders are those that were there for the first command of each session", () => {
  const { workspace, more } = makeFolders();
  const [first, later] = [0, 1].map(() => createWritableFolders({ workspace, writable: [more] }));
  const there = join(more, "sub/new/.envrc");
  expect(first?.closed()).not.toContain(there);
  mkdirSync(join(more, "sub/new"));
  writeFileSync(there, "x");
  expect(first?.closed()).not.toContain(there);
  expect(later?.closed()).toContain(there);
});

test("a folder with too many of them is said, so that its commands ask", () => {
  const { root, workspace, more } = makeFolders();
  const open = () =>
    openSandbox({
      mode: "auto",
      rules: { workspace, writable: [more], domains: [], unreadable: [] },
      stateFolder: join(root, "state"),
      ripgrep: ripgrepPath,
    });
  expect(open().incomplete()).toBeUndefined();
  for (let number = 0; number < 601; number += 1) {
    mkdirSync(join(more, `sub/${number}`));
    writeFileSync(join(more, `sub/${number}/.envrc`), "x");
  }
  if (open().state.kind !== "on") return;
  expect(open().incomplete()).toMatch(/^a folder of sandbox_writable has more than 600 protected names/);
});

test.skipIf(sandboxState("auto").kind !== "on")("a command writes other names only", async () => {
  const { root, workspace, more } = makeFolders();
  const sandbox = openSandbox({
    mode: "require",
    rules: { workspace, writable: [more], domains: [], unreadable: [] },
    stateFolder: join(root, "state"),
    ripgrep: ripgrepPath,
  });
  const names = [
    ".envrc",
    ".git/hooks/pre-push",
    ".git/config",
    "sub/.envrc",
    "sub/.vscode/tasks.json",
    "ordinary",
  ];
  const text = names.map((name) => `echo x >> '${join(more, name)}'`).join("; ");
  await runWrapped(sandbox, workspace, text);
  await sandbox.close();
  expect(readdirSync(more).toSorted()).toEqual([".git", "ordinary", "sub"]);
  expect(existsSync(join(more, ".git/hooks/pre-push"))).toBe(false);
  expect(readFileSync(join(more, ".git/config"), "utf8")).not.toMatch(/^x$/m);
  expect(readFileSync(join(more, "sub/.envrc"), "utf8")).toBe("there\n");
  expect(readdirSync(join(more, "sub/.vscode"))).toEqual([]);
});

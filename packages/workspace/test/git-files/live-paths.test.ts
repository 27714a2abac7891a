import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { livePathOf, livePaths } from "../../src/git-files/live-paths.ts";

let root = "";
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "lh-live-")));
  vi.stubEnv("HOME", join(root, "home"));
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  for (const path of ["ws/.git/HEAD", "ws/tools/clean.sh", "ws/tools/view.py", "ws/team.inc", "home/x"])
    put(path, "");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

const look = () =>
  livePaths(join(root, "ws"))
    .map(({ path, key }) => `${key}: ${path.replace(`${root}/ws/`, "")}`)
    .sort();

test.each<[config: string, live: readonly string[]]>([
  ["[user]\n\tname = tools/clean.sh\n", []],
  ["[core]\n\thooksPath = scripts/hooks\n", ["core.hookspath: scripts/hooks"]],
  ["[core]\n\thooksPath = /etc/hooks\n", []],
  ["[core]\n\thooksPath = ../ws/h\n", ["core.hookspath: h"]],
  ["[include]\n\tpath = ../team.inc\n", ["include.path: team.inc"]],
  ['[includeIf "onbranch:x"]\n\tpath = extra\n', ["includeif.onbranch:x.path: .git/extra"]],
  ['[filter "f"]\n\tclean = ./tools/clean.sh %f\n', ["filter.f.clean: tools/clean.sh"]],
  ['[diff "d"]\n\ttextconv = python3 "tools/view.py"\n', ["diff.d.textconv: tools/view.py"]],
  ["[alias]\n\tst = status\n\tgo = !f() { tools/clean.sh; }; f\n", ["alias.go: tools/clean.sh"]],
  [
    "[core]\n\tfsmonitor = tools/view.py\n\tattributesFile = attrs\n",
    ["core.attributesfile: attrs", "core.fsmonitor: tools/view.py"],
  ],
])("%j", (config, live) => {
  put("ws/.git/config", config);
  expect(look()).toEqual([...live]);
});

test("an included file is read too, once", () => {
  put("ws/.git/config", "[include]\n\tpath = ../team.inc\n");
  put(
    "ws/team.inc",
    "[core]\n\thooksPath = hooks\n[include]\n\tpath = .git/config\n[include]\n\tpath = team.inc\n",
  );
  expect(look()).toEqual(["core.hookspath: hooks", "include.path: .git/config", "include.path: team.inc"]);
});

test("the person's own settings may name a path of the repository, and a link leads to another", () => {
  put("home/.gitconfig", "[core]\n\thooksPath = team-hooks\n");
  mkdirSync(join(root, "ws/real"));
  symlinkSync("real", join(root, "ws/team-hooks"));
  expect(look()).toEqual(["core.hookspath: real", "core.hookspath: team-hooks"]);
});

test("hooks in the top folder are live by their names", () => {
  put("ws/.git/config", "[core]\n\thooksPath = .\n");
  expect(livePathOf(join(root, "ws/pre-commit"))?.key).toBe("core.hookspath");
  expect(livePathOf(join(root, "ws/readme"))).toBeUndefined();
});

test("a path is judged by all repositories that it is in, also by what is below it", () => {
  put("ws/.git/config", "[core]\n\thooksPath = sub/h\n");
  put("ws/sub/.git/config", "[core]\n\thooksPath = k\n");
  const keys = ["sub/h/pre-push", "sub/k/pre-push", "sub/other", "sub"].map((path) =>
    livePathOf(join(root, "ws", path))?.path.replace(`${root}/ws/`, ""),
  );
  expect(keys).toEqual(["sub/h", "sub/k", undefined, "sub/h"]);
});

test.each([
  ["a pipe", (path: string) => void execFileSync("mkfifo", [path])],
  ["a link to a device without an end", (path: string) => symlinkSync("/dev/zero", path)],
  ["a folder", (path: string) => mkdirSync(path)],
])("settings that are %s are not waited for", (_what, make) => {
  put("ws/.git/config", "[include]\n\tpath = ../more\n");
  make(join(root, "ws/more"));
  expect(look()).toEqual(expect.arrayContaining(["include.path: more"]));
});

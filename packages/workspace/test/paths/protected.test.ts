import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { writingConcern } from "../../src/examine/examine-paths.ts";
import { protectedConcern } from "../../src/examine/protected-concern.ts";
import { isOrdinary } from "../../src/paths/ordinary.ts";
import { programFolder } from "../../src/paths/program-folder.ts";
import { protectedName, protectedRow } from "../../src/paths/protected.ts";
import { protectedRows } from "../../src/paths/protected-table.ts";

test("each row of the table gives a reason, and no name has two", () => {
  const rows = protectedRows.filter(({ place }) => place !== "absolute");
  const names = rows.flatMap((row) => row.names.match(/\S+/g) ?? []);
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  for (const row of protectedRows) expect(row.reason).toMatch(/^[a-z].{20,}[^.]$/s);
  for (const name of names)
    expect([name, protectedRow(name)?.names]).toEqual([name, expect.stringContaining(name)]);
});

test("the question about a name says why it is protected", () => {
  expect(protectedConcern("sub/.gdbinit", ".gdbinit")).toEqual({
    id: "protected:.gdbinit",
    decision: "ask",
    reason: '"sub/.gdbinit" is protected (.gdbinit): a debugger runs the commands in it when it starts here',
  });
});

test.each([
  ["AGENTS.md", "agents.md", '"AGENTS.md" is protected: '],
  ["sub/AGENTS.md", "agents.md", '"sub/AGENTS.md" is protected (agents.md): '],
])("the question about %s names %s once", (path, name, begins) => {
  expect(protectedConcern(path, name).reason.startsWith(begins)).toBe(true);
});

test.each([
  ["AGENTS.md", "instructs an agent, and is ordinary to read", "bypass", true],
  [".github/workflows/ci.yml", "is common in projects", "bypass", true],
  [".git/hooks/x", "starts programs", undefined, false],
  [".claude/AGENTS.md", "lies in a stricter folder", undefined, false],
])("%s %s", (path, _why, exceptIn, ordinary) => {
  const concern = protectedConcern(path, protectedName(path) ?? "");
  expect([concern.exceptIn, isOrdinary(path, "/w")]).toEqual([exceptIn, ordinary]);
});

describe("protected names", () => {
  test.each([
    [".git", ".git"],
    [".jq", ".jq"],
    [".git/config", ".git"],
    [".git/hooks/pre-commit", ".git"],
    ["sub/module/.git/config", ".git"],
    [".GIT/config", ".git"],
    [".Git\u200c/config", ".git"],
    [".g\u2060it/config", ".git"],
    [".git\ufeff", ".git"],
    [".gi\u{e0074}t/x", ".git"],
    [".g\u00adit/x", ".git"],
    [".git./config", ".git"],
    [".git . ./config", ".git"],
    [".git::$INDEX_ALLOCATION/config", ".git"],
    [".git:stream", ".git"],
    ["git~1/config", ".git"],
    ["GIT~2", ".git"],
    ["a\\.git\\config", ".git"],
    ["./.git/config", ".git"],
    ["//.git//config", ".git"],
    [".mcp.json", ".mcp.json"],
    [".MCP.JSON", ".mcp.json"],
    ["mcp~1.jso", ".mcp.json"],
    [".vscode/settings.json", ".vscode"],
    ["vscode~1/tasks.json", ".vscode"],
    [".idea/workspace.xml", ".idea"],
    [".localharness/policies.json", ".localharness"],
    ["LOCALH~1/policies.json", ".localharness"],
    [".npmrc", ".npmrc"],
    [".yarnrc.yml", ".yarnrc.yml"],
    [".yarnrc", ".yarnrc"],
    [".pnpmfile.cjs", ".pnpmfile.cjs"],
    [".envrc", ".envrc"],
    [".ba\u017fhrc", ".bashrc"],
    [".zshrc", ".zshrc"],
    [".devcontainer.json", ".devcontainer.json"],
    [".hg/hgrc", ".hg"],
    [".pnp.cjs", ".pnp.cjs"],
    ["app.Code-Workspace", "app.code-workspace"],
    [".Rprofile", ".rprofile"],
    [".mise.toml", ".mise.toml"],
    ["mise.toml", "mise.toml"],
    ["sub/Mise.local.toml", "mise.local.toml"],
    [".mise.production.toml", ".mise.production.toml"],
    [".config/mise/config.toml", ".config/mise"],
    [".kiro/settings/mcp.json", ".kiro"],
    [".profile", ".profile"],
    [".gitmodules", ".gitmodules"],
    ["gi7eba~1", ".git"],
    [".gitconfig", ".gitconfig"],
    [".husky/pre-commit", ".husky"],
    [".ssh/authorized_keys", ".ssh"],
    [".config/localharness/policies.json", ".config/localharness"],
    [".cache/localharness/code/session.code", ".cache/localharness"],
    [".cargo/config.toml", ".cargo/config.toml"],
    ["AGENTS.md", "agents.md"],
    ["packages/x/CLAUDE.md", "claude.md"],
    ["GEMINI.md", "gemini.md"],
    [".github/copilot-instructions.md", ".github/copilot-instructions.md"],
    [".github/instructions/a.instructions.md", ".github/instructions"],
    [".cursor/rules/a.mdc", ".cursor"],
    ["opencode.json", "opencode.json"],
    [".mise/config.toml", ".mise"],
    [".ghci", ".ghci"],
    [".iex.exs", ".iex.exs"],
    [".gitattributes", ".gitattributes"],
    [".github/workflows/ci.yml", ".github/workflows"],
    [".gitlab-ci.yml", ".gitlab-ci.yml"],
    ["Jenkinsfile", "jenkinsfile"],
    [".travis.yml", ".travis.yml"],
    [".pre-commit-config.yaml", ".pre-commit-config.yaml"],
    ["lefthook.yml", "lefthook.yml"],
    [".dir-locals-2.el", ".dir-locals-2.el"],
    [".Renviron", ".renviron"],
    [".ocamlinit", ".ocamlinit"],
    [".pnp.data.json", ".pnp.data.json"],
    ["sitecustomize.py", "sitecustomize.py"],
    [".trae/rules/x.md", ".trae"],
    [".xonshrc", ".xonshrc"],
    ["sub/rust-toolchain", "rust-toolchain"],
    [".elixir-version", ".elixir-version"],
    [".nvmrc", ".nvmrc"],
    [".forgejo/workflows/build.yml", ".forgejo/workflows"],
    [".acme/actions", ".acme/actions"],
    ["cloudbuild.prod.yaml", "cloudbuild.prod.yaml"],
    ["ci.gitlab-ci.yml", "ci.gitlab-ci.yml"],
    [".pijul/config", ".pijul"],
    ["packages/a/tools/bazel", "tools/bazel"],
    ["app/gradle/wrapper/gradle-wrapper.jar", "gradle/wrapper"],
    ["lint-staged.config.mts", "lint-staged.config.mts"],
    [".commitlintrc.yaml", ".commitlintrc.yaml"],
    [".lintstagedrc", ".lintstagedrc"],
    [".some-tool.mjs", ".some-tool.mjs"],
    [".meta.php", ".meta.php"],
    [".readthedocs.yaml", ".readthedocs.yaml"],
    [".storybook/main.ts", ".storybook"],
    [".unheardofrc", ".unheardofrc"],
    [".unheardofrc.cjs", ".unheardofrc.cjs"],
    ["vite.config.ts", "vite.config.ts"],
    ["web/playwright-ct.config.js", "playwright-ct.config.js"],
    ["GulpFile.js", "gulpfile.js"],
    ["_vimrc", "_vimrc"],
    [".lldbinit-app", ".lldbinit-app"],
    ["build/app-gdb.py", "app-gdb.py"],
    [".kilocoderules-code", ".kilocoderules-code"],
    ["venv/lib/python3.12/site-packages/x.pth", "site-packages/x.pth"],
  ])("%j touches %s", (path, name) => {
    expect(protectedName(path)).toBe(name);
  });

  test.each([
    ["."],
    [""],
    [".."],
    ["src/main.ts"],
    [".gitignore"],
    [".github/FUNDING.yml"],
    ["docs/agents.md.txt"],
    ["my-claude.md"],
    ["conftest.py"],
    [".env"],
    [".env.example"],
    [".eslintrc.json"],
    ["git/config"],
    ["my.git/config"],
    ["git~notes.txt"],
    ["backup~1.txt"],
    ["vscode/settings.json"],
    [".config/app.json"],
    ["docs/.gitkeep"],
    ["\uff0egit/config"],
    ["package.json"],
    ["promise.toml"],
    ["mise.md"],
    ["rust-toolchain.txt"],
    ["src/config.ts"],
    ["src/config/index.ts"],
    ["vite.config.md"],
    [".prettierrc"],
    [".prettierrc.json"],
    ["weights/x.pth"],
    ["workflows/a.yml"],
    ["Makefile"],
    ["Dockerfile"],
    [".src/a.c"],
    [".some-tool.json"],
    ["some-tool.mjs"],
    ["python-version"],
    ["docs/pipeline.md"],
    ["profile"],
    ["a.workspace"],
    ["a:b.txt"],
    ["日本語/ファイル.txt"],
  ])("%j is ordinary", (path) => {
    expect(protectedName(path)).toBeUndefined();
  });
});

describe("the path of the workspace counts too", () => {
  const home = homedir();

  test.each<[root: string, path: string, name: string | undefined]>([
    [`${home}/.config`, "autostart/x.desktop", ".config/autostart"],
    [`${home}/.config/fish`, "conf.d/a.fish", ".config/fish"],
    [`${home}/.config`, "some-program/settings.ini", "~/.config"],
    [`${home}/.config/some-program`, "settings.ini", "~/.config"],
    [home, ".config/some-program/settings.ini", "~/.config"],
    [dirname(home), `${basename(home)}/.zshrc`, ".zshrc"],
    [`${home}/.ssh`, "config", ".ssh"],
    ["/srv/app/.git/hooks", "pre-push", ".git"],
    ["/srv/app/.github", "workflows/a.yml", ".github/workflows"],
    ["/", "etc/cron.d/job", "/etc"],
    ["/etc/cron.d", "job", "/etc"],
    ["/usr", "local/bin/x", "/usr/local/bin"],
    ["/srv/app", "/usr/bin/x", "/usr/bin"],
    ["/srv/app", "src/main.ts", undefined],
    ["/srv/app", "etc/hosts", undefined],
    ["/usr/src/app", "index.js", undefined],
    [`${home}/src/app`, "index.js", undefined],
    // A common name above the workspace says nothing about its files.
    ["/srv/.github/actions/deploy", "index.js", undefined],
    // Agents keep checkouts in their own folders.
    ["/srv/app/.claude/worktrees/fix", "src/a.ts", undefined],
    ["/srv/app/.claude/worktrees/fix", ".claude/settings.json", ".claude"],
    ["/srv/app/.claude/worktrees", "a.ts", ".claude"],
  ])("%s: %s", (root, path, name) => {
    expect(protectedName(path, root)).toBe(name);
  });

  test("and hides no file from reading, but those of secrets", () => {
    expect(isOrdinary("init.lua", `${home}/.config/nvim`)).toBe(true);
    expect(isOrdinary("credentials", `${home}/.aws`)).toBe(false);
  });
});

test.each<[root: string, concern: string | undefined]>([
  [homedir(), "whole-workspace"],
  [dirname(homedir()), "whole-workspace"],
  ["/", "whole-workspace"],
  ["/home/somebody", "whole-workspace"],
  ["/etc", "protected:/etc"],
  ["/home/somebody/app", undefined],
  [`${homedir()}/app`, undefined],
  ["/srv/app", undefined],
])("an edit of an ordinary name in the workspace %s: %s", (root, concern) => {
  expect(writingConcern({ root, path: "notes.txt" }, "notes.txt")?.id).toBe(concern);
});

describe("the running program", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-program-")));
  const package_ = join(root, "node_modules/it");
  mkdirSync(join(package_, "bin"), { recursive: true });
  writeFileSync(join(package_, "bin/it"), "");
  symlinkSync(join(package_, "bin/it"), join(root, "it"));

  test("is the package of its start file, also through a link", () => {
    expect(programFolder(join(root, "it"))).toBe(join(package_, "bin"));
    writeFileSync(join(package_, "package.json"), "{}");
    expect(programFolder(join(root, "it"))).toBe(package_);
    expect(programFolder(join(root, "absent"))).toBeUndefined();
  });

  test("has a protected folder", () => {
    const folder = programFolder() ?? "";
    expect(protectedName(join(folder, "a.js"), "/srv/app")).toBe("this program's folder");
    expect(protectedName(`${basename(folder)}/a.js`, dirname(folder))).toBe("this program's folder");
    expect(protectedName("a.js", dirname(folder))).toBeUndefined();
  });
});

import { describe, expect, test } from "vitest";
import { protectedConcern } from "../../src/workspace/examine-paths.ts";
import { isOrdinary } from "../../src/workspace/ordinary.ts";
import { protectedName, protectedRow } from "../../src/workspace/protected.ts";
import { protectedRows } from "../../src/workspace/protected-table.ts";

test("each row of the table gives a reason, and no name has two", () => {
  const names = protectedRows.flatMap((row) => row.names.trim().split(/\s+/));
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
  ["AGENTS.md", "instructs an agent, and is ordinary to read", "bypass", true],
  [".github/workflows/ci.yml", "is common in projects", "bypass", true],
  [".git/hooks/x", "starts programs", undefined, false],
  [".claude/AGENTS.md", "lies in a stricter folder", undefined, false],
])("%s %s", (path, _why, exceptIn, ordinary) => {
  const concern = protectedConcern(path, protectedName(path) ?? "");
  expect([concern.exceptIn, isOrdinary(path)]).toEqual([exceptIn, ordinary]);
});

describe("protected names", () => {
  test.each([
    [".git", ".git"],
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
    ["profile"],
    ["a.workspace"],
    ["a:b.txt"],
    ["日本語/ファイル.txt"],
  ])("%j is ordinary", (path) => {
    expect(protectedName(path)).toBeUndefined();
  });
});

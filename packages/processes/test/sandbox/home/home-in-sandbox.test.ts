/** Checks with the real sandbox what a command sees of a home folder. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { shellArguments } from "../../../src/children/shell-program.ts";
import { openSandbox } from "../../../src/sandbox/open-sandbox.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { sandboxState } from "../../../src/sandbox/sandbox-status.ts";
import { ripgrepPath } from "../../../src/search/ripgrep.ts";
import { runWrapped } from "../run-wrapped.ts";

const state = sandboxState("auto");
const missing = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";

describe.skipIf(state.kind !== "on" || process.platform !== "linux")(`a hidden home folder${missing}`, () => {
  let home = "";
  let workspace = "";
  let sandbox: Sandbox;

  beforeAll(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), "lh-home-")));
    vi.stubEnv("HOME", home);
    workspace = join(home, "code/mono/part");
    for (const path of [
      ".config/wallet/data",
      ".mail/in",
      ".npm/_logs/a",
      "notes/named.txt",
      "notes/other.txt",
    ]) {
      put(path, `CANARY ${path}\n`);
    }
    put(".cargo/bin/tool", "#!/bin/sh\necho tool runs\n", 0o755);
    put(".cargo/credentials.toml", "CANARY cargo\n");
    put(
      "dots/gitconfig",
      '[user]\n\tname = Ann\n\temail = ann@x\n[url "https://a:CANARY@h/"]\n\tinsteadOf = https://h/\n',
    );
    symlinkSync("dots/gitconfig", join(home, ".gitconfig"));
    put("code/mono/part/a.txt", "a\n");
    put("code/mono/shared.txt", "shared\n");
    put("code/other/b.txt", "CANARY other\n");
    execFileSync("git", ["init", "-q", join(home, "code/mono")]);
    sandbox = openSandbox({
      mode: "require",
      rules: {
        workspace,
        writable: [],
        domains: [],
        unreadable: [],
        readable: [join(home, "notes/named.txt")],
      },
      stateFolder: join(home, ".local/state/localharness"),
      ripgrep: ripgrepPath,
    });
  });
  afterAll(async () => {
    await sandbox.close();
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });

  function put(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text, { mode });
  }

  async function run(command: string): Promise<string> {
    return (await runWrapped(sandbox, workspace, command, home)).output;
  }

  test("has nothing of what no row names", async () => {
    const output =
      await run(`cd "$HOME"; cat .config/wallet/data .mail/in notes/other.txt .cargo/credentials.toml
      cat .npm/_logs/a code/other/b.txt; grep -rs CANARY . ; find . -name '*.txt'; git config --global --list`);
    expect(output.replaceAll(/^cat: .*\n/gm, "")).not.toMatch(/CANARY (?!notes\/named)|CANARY@/);
    expect(output).toContain("code/mono/shared.txt");
    expect(output).toContain("notes/named.txt");
  });

  test("runs toolchains, and git knows the person", async () => {
    const output = await run(
      '"$HOME/.cargo/bin/tool"; git config user.email; git commit --allow-empty -qm x; git log --format=%an',
    );
    expect(output).toBe("tool runs\nann@x\nAnn\n");
  });

  test("takes nothing that a command writes, and says so", async () => {
    const places = [
      ".npm/_logs/x",
      ".cargo/bin/x",
      "x",
      "code/mono/x",
      "code/x",
      ".config/x",
      ".local/state/x",
    ];
    const output = await run(
      `for p in ${places.join(" ")}; do mkdir -p "$(dirname "$HOME/$p")"; echo x > "$HOME/$p" && echo "WROTE $p"; done; echo y > y && cat y`,
    );
    expect(output).not.toContain("WROTE");
    expect(output.endsWith("y\n")).toBe(true);
    expect(places.filter((place) => existsSync(join(home, place)))).toEqual([]);
  });

  test("cannot put a link in place of a file that the program writes", async () => {
    const signal = new AbortController().signal;
    put("code/mono/part/x.code-workspace", "{}\n");
    const { gitSettings, done } = await sandbox.wrap(shellArguments("true"), signal);
    done();
    const excludes = gitSettings["core.excludesFile"] ?? join(home, "none");
    const output = await run(
      `ln -sf "$HOME/notes/other.txt" ${excludes} && echo LINKED; rm -rf "$(dirname ${excludes})" && echo REMOVED; ls "$TMPDIR"`,
    );
    expect(output).not.toMatch(/LINKED|REMOVED|git-excludes$/m);
  });

  test("is listed with reasons", async () => {
    const seen = await sandbox.home();
    expect(seen?.homes).toContain(home);
    expect(seen?.shown).toEqual(
      expect.arrayContaining([
        { path: join(home, ".cargo/bin"), why: "Rust" },
        { path: join(home, "notes/named.txt"), why: "sandbox_readable" },
        { path: join(home, "dots/gitconfig"), why: "settings of git" },
        { path: join(home, "code/mono/shared.txt"), why: "the repository of the workspace" },
      ]),
    );
  });
});

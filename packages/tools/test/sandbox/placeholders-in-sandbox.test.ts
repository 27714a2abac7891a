/** Ordinary programs in the real sandbox pass over the names that it holds. */
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openToolResources, type ToolResources } from "../../src/resources/resources.ts";
import { bash } from "../../src/tools/bash.ts";

const state = sandboxState("auto");
const reason = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";
const isHere = state.kind === "on" && process.platform === "linux";

describe.skipIf(!isHere)(`programs in the sandbox${reason}`, () => {
  let root = "";
  let workspace = "";
  let resources: ToolResources;

  const inside = async (command: string) => {
    const context = { callId: "c", signal: AbortSignal.timeout(30_000), report: () => undefined };
    const ran = await bash(resources).execute({ command }, context);
    return ran.ok ? ran.data : ran.message;
  };

  beforeAll(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), "lh-placeholders-")));
    workspace = join(root, `ws-${"long-".repeat(20)}`);
    mkdirSync(workspace);
    writeFileSync(join(workspace, "a.txt"), "word\n");
    execFileSync("git", ["init", "-q", workspace]);
    execFileSync("git", ["-C", workspace, "add", "."]);
    writeFileSync(join(root, "ignored"), "*.swp\n");
    execFileSync("git", ["-C", workspace, "config", "core.excludesFile", join(root, "ignored")]);
    resources = await openToolResources({
      workspace,
      stateFolder: join(root, "state"),
      sandbox: { mode: "require" },
    });
  });
  afterAll(() => resources.close());

  test.each([
    ["grep -rn word . 2>&1", "./a.txt:1:word\n"],
    ["find . -path ./.git -prune -o -type f -print", "./a.txt\n"],
    ["git status --porcelain --ignored", "A  a.txt\n"],
    ["git clean -ndx", ""],
    ["touch a.swp && git add -A && git ls-files; rm a.swp", "a.txt\n"],
    ['cp -r . "$TMPDIR/copy" 2>&1', ""],
    ['tar cf "$TMPDIR/x.tar" . 2>/dev/null; tar tf "$TMPDIR/x.tar" | grep -v "^./.git/"', "./\n./a.txt\n"],
  ])("%s", async (command, output) => {
    const lines = (text: string) => text.split("\n").toSorted();
    expect(lines(await inside(command))).toEqual(lines(`${output}exit code: 0`));
  });

  test("nothing of it stays, and nothing can be written, connected to, or put there", async () => {
    const attempts = [
      "echo x > .npmrc",
      "rm -f .npmrc",
      "mv .npmrc moved",
      "mkdir .vscode",
      "ln -sf a.txt .envrc",
      "cat .mcp.json",
      "socat -u /dev/null UNIX-CONNECT:.npmrc",
    ];
    const tried = await inside(
      `${attempts.map((one) => `{ ${one}; } 2>/dev/null && echo "OPEN ${one}"`).join("; ")}; true`,
    );
    expect(tried).toBe("exit code: 0");
    expect(readdirSync(workspace).toSorted()).toEqual([".git", "a.txt"]);
  });

  test("two commands at once hold the names until both have ended", async () => {
    const first = inside("until [ -e go ]; do sleep 0.05; done; rm go; echo x > .npmrc");
    await inside("true");
    expect(await inside("echo x > .npmrc; touch go")).toContain(".npmrc");
    expect(await first).toMatch(/\.npmrc[\s\S]*exit code: 1/);
    expect(readdirSync(workspace).toSorted()).toEqual([".git", "a.txt"]);
  });

  test("nothing of it stays if the sandbox cannot be set up", async () => {
    // Like the placeholder of a file system without sockets.
    writeFileSync(join(workspace, ".npmrc"), "", { mode: 0o444 });
    mkdirSync(join(root, "config/git/ignore"), { recursive: true });
    vi.stubEnv("XDG_CONFIG_HOME", join(root, "config"));
    expect(await inside("true")).toMatch(/^The sandbox could not be set up, so nothing ran: EISDIR/);
    vi.unstubAllEnvs();
    rmSync(join(workspace, ".npmrc"));
    expect(readdirSync(workspace).toSorted()).toEqual([".git", "a.txt"]);
  });

  test("a command that ran has its result, whatever becomes of the placeholders", async () => {
    const running = inside("touch started; until [ -e go ]; do sleep 0.05; done; rm go started; echo ran");
    await expect.poll(() => existsSync(join(workspace, "started"))).toBe(true);
    rmSync(join(root, "state/sandbox"), { recursive: true });
    writeFileSync(join(root, "state/sandbox"), "");
    writeFileSync(join(workspace, "go"), "");
    expect(await running).toBe("ran\nexit code: 0");
    rmSync(join(root, "state/sandbox"));
  });
});

/** Tests the tool `bash` with its commands in the sandbox. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { expect, test } from "vitest";
import { openToolResources } from "../../src/resources/resources.ts";
import { bash } from "../../src/tools/bash.ts";

const state = sandboxState("auto");
const missing = state.kind === "absent" ? ` (skipped: ${state.problem})` : "";

test.skipIf(state.kind !== "on")(
  `a command runs in the sandbox, and its end is told as ever${missing}`,
  async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-bash-sandbox-")));
    const workspace = join(root, "ws");
    mkdirSync(workspace);
    execFileSync("git", ["init", "-q", workspace]);
    const resources = await openToolResources({
      workspace,
      stateFolder: join(root, "state"),
      sandbox: { mode: "auto" },
    });
    const tool = bash(resources);
    const call = (command: string, timeout = 20) =>
      tool.execute(
        { command, timeout },
        { callId: "c", signal: new AbortController().signal, report: () => undefined },
      );
    try {
      expect(await call("echo in > made.txt; echo out > ../out.txt; exit 3")).toMatchObject({
        ok: true,
        data: expect.stringMatching(/Read-only file system[\s\S]*exit code: 3/),
        notes: [expect.stringMatching(/only to the workspace/)],
      });
      expect(await call("ls -a")).toMatchObject({
        notes: [expect.stringMatching(/\d+ names in this output/)],
      });
      expect(await call("mkdir .vscode")).toMatchObject({
        notes: [expect.stringMatching(/closes \.vscode/)],
      });
      expect(await call("ls")).toMatchObject({
        notes: [expect.stringMatching(/bunfig\.toml.* not exist/)],
      });
      expect(await call("echo made")).toMatchObject({ notes: [] });
      expect(readFileSync(join(workspace, "made.txt"), "utf8")).toBe("in\n");
      expect(existsSync(join(root, "out.txt"))).toBe(false);
      expect(
        await call("git add -A && git -c user.name=a -c user.email=b commit -qm x && git status --short"),
      ).toMatchObject({ ok: true, data: "exit code: 0" });
      // The program itself works in the sandbox too, where its process has another id in /proc.
      const door = join(import.meta.dirname, "../../../workspace/src/paths/open-workspace.ts");
      expect(
        await call(
          `'${process.execPath}' -e 'import("${door}").then(async ({ openWorkspace: open }) => console.log((await open(".")).root))'`,
        ),
      ).toMatchObject({ data: `${workspace}\nexit code: 0` });
      expect(await call("sleep 30", 1)).toMatchObject({ ok: false, errorType: "timeout" });
      expect(existsSync(join(workspace, ".npmrc"))).toBe(false);
    } finally {
      await resources.close();
    }
  },
);

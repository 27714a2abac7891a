/** Runs commands in the sandbox as a user that is not root, with a home folder and a workspace of that user. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { expect, test } from "vitest";

const uid = 65_534;
const script = join(import.meta.dirname, "run-in-sandbox.ts");
const reason = whySkipped();

function whySkipped(): string | undefined {
  const state = sandboxState("auto");
  if (state.kind !== "on") return state.kind === "absent" ? state.problem : "the sandbox is off";
  if (process.platform !== "linux" || process.geteuid?.() !== 0) {
    return "only root can start a program as another user; the other tests of the sandbox run as this user";
  }
  return asUser([process.execPath, "--check", script]).status === 0
    ? undefined
    : "the other user cannot read Node or this folder";
}

function asUser(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const drop = [`--reuid=${uid}`, `--regid=${uid}`, "--clear-groups", "--inh-caps=-all", "--"];
  const PATH = process.env["PATH"] ?? "";
  return spawnSync("setpriv", [...drop, ...command], { encoding: "utf8", env: { PATH, ...env }, cwd: "/" });
}

test.skipIf(reason !== undefined)(
  `the sandbox confines a user that is not root${reason === undefined ? "" : ` (skipped: ${reason})`}`,
  () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "lh-user-")));
    const [home, workspace] = [join(root, "home"), join(root, "ws")];
    for (const folder of [home, workspace]) mkdirSync(folder);
    writeFileSync(join(home, ".pgpass"), "CANARY\n");
    execFileSync("git", ["init", "-q", workspace]);
    chmodSync(root, 0o755);
    for (const path of [root, home, workspace, join(home, ".pgpass")]) chownSync(path, uid, uid);
    execFileSync("chown", ["-R", `${uid}:${uid}`, workspace]);
    const attempts = [
      "id -u; echo in > in.txt && cat in.txt",
      'echo x > "$HOME/out.txt" && echo OPEN home',
      'cat "$HOME/.pgpass"',
      "echo x > .npmrc && echo OPEN name; echo x >> .git/config && echo OPEN git",
      "for f in kernel/core_pattern kernel/modprobe vm/swappiness fs/suid_dumpable; do test -w /proc/sys/$f && echo OPEN $f; done",
      "find /sys -type f -writable 2>/dev/null | grep -q . && echo OPEN /sys",
      "grep -Eq 'Cap(Prm|Eff|Amb|Inh):.*[1-9a-f]' /proc/self/status && echo OPEN capabilities",
      "mount -t tmpfs none /mnt && echo OPEN mount; unshare -U true && echo OPEN namespace",
      "exec 3<>/dev/tcp/127.0.0.1/22 && echo OPEN network; echo end",
      "cd .git && mkdir rebase-merge svn && echo 'exec touch PWNED' > rebase-merge/git-rebase-todo && chmod 555 .",
    ];
    const ran = asUser([process.execPath, script, workspace, join(root, "state"), attempts.join("\n")], {
      HOME: home,
    });
    expect(ran.stdout, ran.stderr).toMatch(/^65534\nin\n[\s\S]*end\nexit code: 0$/);
    expect(ran.stdout).not.toMatch(/OPEN|CANARY/);
    const left = readdirSync(join(workspace, ".git")).filter((name) => /^(?:rebase|svn)/.test(name));
    expect(left.toSorted()).toEqual(["rebase-merge.moved-1", "svn.moved-1"]);
  },
);

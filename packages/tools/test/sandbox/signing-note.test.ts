import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sandboxState } from "@localharness/processes/sandbox/sandbox-status";
import { signingNote } from "@localharness/processes/sandbox/signing-note";
import { describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../workspace/test/temporary-folder.ts";
import { openBench } from "../bench.ts";

const on = { state: { kind: "on", summary: "x" } } as const;

describe("signingNote", () => {
  test.each([
    ["gpg", "error: gpg failed to sign the data:\ngpg: keybox created\nfatal: failed to write commit object"],
    ["gpg without a key", 'gpg: skipped "k": No secret key\ngpg: signing failed: No secret key'],
    ["gpg without an agent", "gpg: signing failed: No agent running"],
    ["gpgsm", "gpgsm: can't sign using 'k': No such file"],
    ["a tag", "error: unable to sign the tag"],
    ["ssh", "error: Couldn't load public key /h/.ssh/k.pub: No such file or directory?"],
    ["ssh with an agent", 'error: No private key found for "/t/key"?'],
    [
      "ssh with a hidden key",
      'error: Load key "/h/.ssh/k": No such file\n\nfatal: failed to write commit object',
    ],
  ])("explains a signature by %s", (_, output) => {
    expect(signingNote(on, `before\n${output}\nafter`, () => true)).toContain("git_commit_all");
    const note = signingNote(on, output, () => false);
    expect(note).toContain("!git commit");
    expect(note).not.toContain("git_commit_all");
    expect(signingNote({ state: { kind: "off" } }, output, () => true)).toBeUndefined();
  });

  test.each([
    "all good",
    "gpg: Signature made today\ngpg: Good signature",
    "error: user.signingKey needs to be set for ssh signing\nfatal: failed to write commit object",
    "fatal: failed to write commit object",
    'Load key "/x/key": invalid format',
  ])("says nothing about %j", (output) => {
    expect(signingNote(on, output, () => true)).toBeUndefined();
  });
});

test.skipIf(sandboxState("auto").kind !== "on")(
  "git that signs with a hidden key names the way out",
  async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, ".ssh"));
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", join(home, ".ssh/key")]);
    vi.stubEnv("HOME", home);
    try {
      const bench = await openBench({ sandbox: { mode: "require" } });
      const settings = [
        "user.name t",
        "user.email t@e",
        "gpg.format ssh",
        `user.signingkey ${home}/.ssh/key.pub`,
      ];
      const script = settings.map((setting) => `git config ${setting}`).join(" && ");
      execFileSync("bash", ["-c", `git init -q && ${script} && git config commit.gpgsign true`], {
        cwd: bench.root,
      });
      writeFileSync(join(bench.root, "a.txt"), "a\n");
      const output = await bench.call("bash", { command: "git add a.txt && git commit -qm a" });
      expect(output.notes).toEqual([expect.stringContaining("hides the keys with which git signs")]);
      expect(await bench.call("git_commit_all", { message: "a" })).toMatchObject({ ok: true });
      const raw = execFileSync("git", ["cat-file", "commit", "HEAD"], { cwd: bench.root, encoding: "utf8" });
      expect(raw).toContain("gpgsig");
    } finally {
      vi.unstubAllEnvs();
    }
  },
);

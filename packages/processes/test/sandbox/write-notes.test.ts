import { expect, test } from "vitest";
import { writeNotes } from "../../src/sandbox/write-notes.ts";

const held = [
  "bunfig.toml",
  ".bashrc",
  ".cargo",
  ".cursor",
  ".envrc",
  ".idea",
  ".npmrc",
  ".vscode",
  ".git/commondir",
];
const byRules = ["secrets", "src/lib"];
const closed = [
  ...held,
  "src/lib",
  ".git/config",
  ".git/hooks",
  ".git/rebase-merge",
  ".git/worktrees",
  "sub/.envrc",
];

test.each([
  ["/bin/bash: line 1: /tmp/zz: Read-only file system", /workspace and to \$TMPDIR.*sandbox_writable/],
  [
    "npm error rofs EROFS: read-only file system, open '/home/a/.npm/_cacache/tmp/x'",
    /workspace and to \$TMPDIR/,
  ],
  [
    "error: could not create temporary .git/rebase-merge: File exists",
    /closes \.git\/rebase-merge for commands.*!/,
  ],
  ["error: could not write config file /w/.git/config: Device or resource busy", /closes \.git\/config for/],
  [
    "fatal: could not create leading directories of '/w/.git/worktrees/wt': Not a directory",
    /closes \.git\/worktrees for/,
  ],
  ["touch: cannot touch 'sub/.envrc': Read-only file system", /closes sub\/\.envrc for/],
  ["OSError: [Errno 30] Read-only file system: '/w/src/lib/a.ts'", /^rules of the person close src\/lib for/],
  ["cat: secrets/key: No such file or directory", /^rules of the person close secrets for/],
  ["mkdir: cannot create directory ‘.vscode’: File exists", /closes \.vscode for/],
  ["bash: line 1: .npmrc: Permission denied", /closes \.npmrc for/],
  [".\n..\n.bashrc\n.cargo\n.cursor\n.envrc\n.idea\nsrc", /5 names in this output, such as .*do not exist/],
  ["README.md\nbunfig.toml\nsrc", /^bunfig\.toml in this output does not exist: the sandbox holds it /],
  ["./src/a.toml\n./bunfig.toml", /^bunfig\.toml in this output does not exist/],
  [
    ".bashrc .cargo .cursor .envrc .idea .npmrc .vscode"
      .split(" ")
      .map((name) => `grep: ./${name}: Permission denied`)
      .join("\n"),
    /7 names/,
  ],
])("%j is explained", (output, note) => {
  expect(writeNotes("/w", { closed, byRules, held }, output)).toEqual([expect.stringMatching(note)]);
});

test.each([
  "",
  "cat: /root/x: Permission denied",
  "mkdir: cannot create directory 'src': File exists",
  "src\n.bashrc\n.envrc",
  "the file .npmrc was read",
  "no bunfig.toml was found",
  "npm verbose: open '/home/a/.npmrc': Permission denied",
])("%j is not", (output) => expect(writeNotes("/w", { closed, byRules, held }, output)).toEqual([]));

test("nothing is explained without a sandbox", () => {
  expect(writeNotes("/w", { closed: [], byRules: [], held: [] }, "x: Read-only file system")).toEqual([]);
});

/** Checks which commands of the person get the terminal. */
import { expect, test } from "vitest";
import { needsTerminal } from "../src/needs-terminal.ts";

test.each([
  "vim",
  "vim notes.md",
  "/usr/bin/vim -u NONE a",
  "EDITOR=vi LC_ALL=C less log.txt",
  "git log | less",
  "cd src && htop",
  "sudo systemctl restart x",
  "python3",
  "bash -l",
  "git commit",
  "git commit --amend",
  "git rebase -i HEAD~3",
  "git add -p",
  "npm init",
])("%s gets it", (command) => {
  expect(needsTerminal(command)).toBe(true);
});

test.each([
  "",
  "ls -la",
  "npm test",
  "cat vim.txt",
  "python3 run.py",
  "bash -c 'echo 1'",
  "sh build.sh",
  "node -e 1",
  "git status",
  "git commit -m 'x'",
  "git commit -am x",
  "git commit --amend --no-edit",
  "npm init -y",
  "echo topless",
])("%s does not", (command) => {
  expect(needsTerminal(command)).toBe(false);
});

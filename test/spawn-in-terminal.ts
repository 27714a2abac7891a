/** Starts a shell in a terminal of its own, made by util-linux `script`, for a person with a home and a workspace. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type InTerminal = ChildProcessByStdio<Writable, Readable, null>;

export interface HomeAndWorkspace {
  readonly home: string;
  readonly workspace: string;
}

/** Runs a line of the shell. Nothing of this machine's own configuration reaches it but where programs are. */
export function spawnInTerminal(
  line: string,
  { home, workspace }: HomeAndWorkspace,
  env: Readonly<Record<string, string>> = {},
): InTerminal {
  const own = { HOME: home, LANG: "C.UTF-8", TERM: "xterm-256color", SHELL: "/bin/sh" };
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: workspace,
    env: { PATH: process.env["PATH"], ...own, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdout.setEncoding("utf8");
  // What is typed to a program that has ended goes nowhere.
  child.stdin.on("error", () => undefined);
  return child;
}

/** As one line for the shell. */
export function quotedWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

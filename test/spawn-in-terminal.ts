/** Starts a shell in a new terminal, made by util-linux `script`, in a test's home folder and workspace. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";

export type InTerminal = ChildProcessByStdio<Writable, Readable, null>;

export interface HomeAndWorkspace {
  readonly home: string;
  readonly workspace: string;
}

/** Runs a shell command line. Of this machine's environment it gets only `PATH`. */
export function spawnInTerminal(
  line: string,
  { home, workspace }: HomeAndWorkspace,
  env: Readonly<Record<string, string>> = {},
): InTerminal {
  const own = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    SHELL: "/bin/sh",
  };
  const child = spawn("script", ["-qec", line, "/dev/null"], {
    cwd: workspace,
    env: { ...own, ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdout.setEncoding("utf8");
  // Text typed to a program that has ended is dropped.
  child.stdin.on("error", () => undefined);
  return child;
}

/** Returns the words quoted as one shell command line. */
export function quotedWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
}

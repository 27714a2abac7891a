/** Chooses the shell that runs a command, and its arguments. The command itself does not change. */
import { existsSync } from "node:fs";

export interface ShellArguments {
  readonly program: string;
  readonly args: readonly string[];
}

/** A script that sends the error output to standard output, so that both come in the order in which they were written. */
const joinStreams = 'exec "$0" "$@" 2>&1';

/** Returns a call of bash if it is installed, else of sh; on Windows of the command interpreter. Start-up files are not read. */
export function shellArguments(command: string): ShellArguments {
  if (process.platform === "win32") {
    return { program: process.env["ComSpec"] ?? "cmd.exe", args: ["/d", "/s", "/c", command] };
  }
  const bash = bashPath();
  const shell = bash === undefined ? ["/bin/sh"] : [bash, "--noprofile", "--norc"];
  return { program: "/bin/sh", args: ["-c", joinStreams, ...shell, "-c", "--", command] };
}

/** Returns the word in single quotes, in which the shell replaces nothing. */
export function shellQuoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Returns true if bash runs the commands. The meaning of a command is known only then. */
export function readsBash(): boolean {
  return process.platform !== "win32" && bashPath() !== undefined;
}

const bashPlaces = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];

function bashPath(): string | undefined {
  return bashPlaces.find((path) => existsSync(path));
}

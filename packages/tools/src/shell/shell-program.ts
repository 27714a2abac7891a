/** Which shell runs commands, and how it is told to. The command itself is passed on as it is. */
import { existsSync } from "node:fs";

export interface ShellArguments {
  readonly program: string;
  readonly args: readonly string[];
}

/** Sends errors where the output goes, so that both come in the order in which they were written. */
const joinStreams = 'exec "$0" "$@" 2>&1';

/** bash where there is one, else sh; on Windows the command interpreter. No start-up files are read. */
export function shellArguments(command: string): ShellArguments {
  if (process.platform === "win32")
    return { program: process.env["ComSpec"] ?? "cmd.exe", args: ["/d", "/s", "/c", command] };
  const bash = bashPath();
  const shell = bash === undefined ? ["/bin/sh"] : [bash, "--noprofile", "--norc"];
  return { program: "/bin/sh", args: ["-c", joinStreams, ...shell, "-c", "--", command] };
}

/** True where commands are read as bash reads them; elsewhere nothing is known of what they mean. */
export function readsBash(): boolean {
  return process.platform !== "win32" && bashPath() !== undefined;
}

const bashPlaces = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/opt/homebrew/bin/bash"];

function bashPath(): string | undefined {
  return bashPlaces.find((path) => existsSync(path));
}

/** How a program is started so that it is in its group, first in line when memory runs out, and holds no file of ours. */
import { existsSync } from "node:fs";
import { inheritedDescriptors } from "./inherited-descriptors.ts";

export interface StartCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Shells that can close descriptors of two digits. */
const ableShells = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];

/** Shell text that closes what would be inherited; and the shell that understands it. */
export interface Closing {
  readonly shell: string;
  readonly text: string;
}

/** Looks at the descriptors that this process has now. */
export function closingInherited(): Closing {
  const descriptors = inheritedDescriptors();
  const wide = descriptors.some((descriptor) => descriptor > 9);
  const able = wide ? ableShells.find((path) => existsSync(path)) : undefined;
  const closed = descriptors.filter((descriptor) => descriptor < 10 || able !== undefined);
  return {
    shell: able ?? "/bin/sh",
    text: closed.map((descriptor) => `exec ${descriptor}>&-\n`).join(""),
  };
}

/** What cannot be had is done without: the group is then looked for by other means. */
const prepare = `
{ [ -z "$1" ] || echo 0 > "$1"; { [ ! -w /proc/self/oom_score_adj ] || echo 500 > /proc/self/oom_score_adj; }; } 2>/dev/null
shift
exec "$@"
`;

/** `program` is an absolute path. `joinFile`: where a process writes itself into its control group. */
export function startCommand(
  command: StartCommand,
  joinFile: string | undefined,
  closing: Closing,
): StartCommand {
  if (process.platform === "win32") {
    return command;
  }
  return {
    program: closing.shell,
    args: ["-c", closing.text + prepare, "start", joinFile ?? "", command.program, ...command.args],
  };
}

/**
 * Wraps the start of a program so that it joins its control group, is killed first when memory runs out, and inherits no
 * open files of this process.
 */
import { existsSync } from "node:fs";
import { inheritedDescriptors } from "./inherited-descriptors.ts";

export interface StartCommand {
  readonly program: string;
  readonly args: readonly string[];
}

/** Shells that can close descriptors above 9. */
const ableShells = ["/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash"];

/** Shell text that closes the inheritable descriptors, and the shell that understands it. */
export interface Closing {
  readonly shell: string;
  readonly text: string;
}

/** Returns the text for the descriptors that are open now, without those above 9 if no able shell is installed. */
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

/** Shell text that prepares the process. It ignores errors, because processes can also be found without a control group. */
const prepare = `
{ [ -z "$1" ] || echo 0 > "$1"; { [ ! -w /proc/self/oom_score_adj ] || echo 500 > /proc/self/oom_score_adj; }; } 2>/dev/null
shift
exec "$@"
`;

/**
 * Returns the wrapped command; on Windows the command itself. `joinFile` is the file through which the program joins its group.
 */
export function startCommand(
  command: StartCommand,
  joinFile: string | undefined,
  closing: Closing,
): StartCommand {
  if (process.platform === "win32") return command;
  return {
    program: closing.shell,
    args: ["-c", closing.text + prepare, "start", joinFile ?? "", command.program, ...command.args],
  };
}

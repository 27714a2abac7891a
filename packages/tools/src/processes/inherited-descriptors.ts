/** Open files that this process was given at its start and that its children would get as well. */
import { readdirSync, readFileSync } from "node:fs";

/** The flag of files that are closed when another program is started, in the octal of `/proc/self/fdinfo`. */
const closeOnExec = 0o2000000;

/** Descriptors above 2 without the flag. Empty where the system does not tell. */
export function inheritedDescriptors(): readonly number[] {
  if (process.platform !== "linux") {
    return [];
  }
  try {
    return readdirSync("/proc/self/fd")
      .map(Number)
      .filter((descriptor) => descriptor > 2 && isInherited(descriptor));
  } catch {
    return [];
  }
}

function isInherited(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & closeOnExec) === 0;
  } catch {
    return false;
  }
}

/** Lists the file descriptors that this process has inherited and that its children would inherit too. */
import { readdirSync, readFileSync } from "node:fs";

/** The flag `O_CLOEXEC` in `/proc/self/fdinfo`. A descriptor with this flag is closed when another program is started. */
const closeOnExec = 0o2000000;

/** Returns the descriptors above 2 without the flag `O_CLOEXEC`; an empty list if the system does not list them. */
export function inheritedDescriptors(): readonly number[] {
  if (process.platform !== "linux") return [];
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

/** Changes the permissions of a file or folder that a confined process may exchange for a link at any time. */
import { chmodSync, closeSync, constants, fchmodSync, fstatSync, openSync } from "node:fs";

/** Opens the entry itself, for which no permission is needed. Node has no name for it. */
const oPath = 0o10000000;

/** Sets the permission bits of a file or folder. Throws the system's error; for a link one with the code ELOOP, and nothing changes. */
export function setMode(path: string, mode: number): void {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const isLinux = process.platform === "linux";
  const descriptor = openSync(path, O_NOFOLLOW | (isLinux ? oPath : O_RDONLY | O_NONBLOCK));
  try {
    if (fstatSync(descriptor).isSymbolicLink()) {
      throw Object.assign(new Error(`ELOOP: a link is no file or folder, '${path}'`), { code: "ELOOP" });
    }
    if (isLinux) chmodSync(`/proc/self/fd/${descriptor}`, mode);
    else fchmodSync(descriptor, mode);
  } finally {
    closeSync(descriptor);
  }
}

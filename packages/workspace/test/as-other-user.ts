/** Runs a piece of a test as a user whom the permissions of files bind. */
import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";

const nobody = 65_534;

/**
 * Runs `work`, which must not wait, as the user 65534 if this process is root, and as the user of this process otherwise. The
 * folders, with all that is in them, first become that user's.
 */
export function asOtherUser<T>(folders: readonly string[], work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  for (const folder of folders) {
    const below = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const path of [folder, ...below.map((name) => join(folder, name))]) chownSync(path, nobody, nobody);
  }
  process.seteuid?.(nobody);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

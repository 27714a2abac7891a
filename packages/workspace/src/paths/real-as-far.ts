/** Resolves the links of a path that may be absent. */
import { realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Returns the absolute path with the links resolved in its part that exists. */
export function realAsFar(absolute: string): string {
  let rest = "";
  for (let at = absolute; ; at = dirname(at)) {
    try {
      return join(realpathSync.native(at), rest);
    } catch {
      if (at === dirname(at)) return absolute;
      rest = join(basename(at), rest);
    }
  }
}

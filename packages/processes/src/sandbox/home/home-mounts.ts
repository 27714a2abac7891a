/** Returns the mounts with which a hidden home folder gets its links, contents without passwords, and no place to write. */

import { pathInside } from "@localharness/workspace/paths/door";
import { shellQuoted } from "../../children/shell-program.ts";
import type { HostFiles } from "../host-files.ts";
import type { HiddenHome } from "../sandbox-profile.ts";

/** Returns options of bubblewrap, quoted for a shell. They must follow the mounts of what is shown. */
export function homeMounts(
  { homes, shown, links, replaced }: HiddenHome,
  hostFiles: HostFiles,
): readonly string[] {
  const isShown = (path: string) => shown.some((one) => pathInside(one.path, path) !== undefined);
  const contents = [...replaced].filter(([path]) => isShown(path));
  return [
    ...links.flatMap(({ path, target }) => ["--symlink", shellQuoted(target), shellQuoted(path)]),
    ...contents.flatMap(([path, text]) => [
      "--ro-bind",
      shellQuoted(hostFiles.write("settings", text)),
      shellQuoted(path),
    ]),
    ...homes.flatMap((home) => ["--remount-ro", shellQuoted(home)]),
  ];
}

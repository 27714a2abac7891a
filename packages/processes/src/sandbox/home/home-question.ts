/** Declares what is asked about home folders, and where their parts may be. */
import { join } from "node:path";

export interface ShownPlace {
  /** An absolute path. */
  readonly path: string;
  readonly why: string;
}

export interface HomeQuestion {
  /** The real paths of the hidden folders. */
  readonly homes: readonly string[];
  /** The real paths of folders that commands can write. They are visible, and what they contain is not trusted. */
  readonly writable: readonly string[];
  /** Places that the person or the program shows, which may be absent. */
  readonly named: readonly ShownPlace[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The folders of a home folder that a person may have moved, with the variables that name their places. */
const movable: readonly (readonly [folder: string, variable: string])[] = [
  [".config/", "XDG_CONFIG_HOME"],
  [".cache/", "XDG_CACHE_HOME"],
  [".local/share/", "XDG_DATA_HOME"],
  [".local/state/", "XDG_STATE_HOME"],
];

/** Returns the absolute paths that a path relative to a home folder may have. */
export function pathsAtHome(
  home: string,
  path: string,
  environment: HomeQuestion["environment"],
): readonly string[] {
  const moved = movable.flatMap(([folder, variable]) => {
    const base = environment[variable];
    return base?.startsWith("/") === true && path.startsWith(folder)
      ? [join(base, path.slice(folder.length))]
      : [];
  });
  return [join(home, path), ...moved];
}

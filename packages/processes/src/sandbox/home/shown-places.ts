/** Computes what a sandboxed command sees of the hidden home folders: the rows of the table, and what `PATH` and git's settings name. */
import { join } from "node:path";
import { readPlain } from "@localharness/workspace/files/plain-file";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import { aroundOpen } from "./around-open.ts";
import { followLinks, type SymbolicLink } from "./follow-links.ts";
import { gitPlaces } from "./git-places.ts";
import { type HomeQuestion, pathsAtHome, type ShownPlace } from "./home-question.ts";
import { looksSecret } from "./looks-secret.ts";
import { programPlaces } from "./program-places.ts";
import { shownByVariable, shownRows } from "./shown-table.ts";

export interface ShownHome {
  /** Real paths, none of which contains another one or is below a folder that commands can write. */
  readonly shown: readonly ShownPlace[];
  /** The links through which the places have their names. */
  readonly links: readonly SymbolicLink[];
  /** Files of which commands see another content, by their real paths. */
  readonly replaced: ReadonlyMap<string, string>;
}

export const nothingShown: ShownHome = { shown: [], links: [], replaced: new Map() };

/** Resolves to what exists of the places. */
export async function shownHome({ homes, writable, named, environment }: HomeQuestion): Promise<ShownHome> {
  if (homes.length === 0) return nothingShown;
  const isOpen = (path: string) => writable.some((folder) => pathInside(folder, path) !== undefined);
  const places = homes.flatMap((home) => [
    ...fromTable(home, environment),
    ...fromVariables(home, environment),
  ]);
  const settings = await settingsWithoutPasswords(homes, environment);
  const { places: ofGit, replaced } = await gitPlaces(homes, environment);
  const known = [...places, ...settings, ...ofGit];
  const programs = programPlaces({
    homes,
    known: known.map(({ path }) => path),
    isOpen,
    path: environment["PATH"] ?? "",
  });
  const links = new Map<string, SymbolicLink>();
  const shown = new Map<string, ShownPlace>();
  const show = ({ path, why }: ShownPlace) => {
    const at = spelledReally(path, environment["HOME"]);
    const home = homes.find((one) => pathInside(one, at) !== undefined);
    const followed = home === undefined ? undefined : followLinks(home, at);
    for (const link of followed?.links ?? []) links.set(link.path, link);
    const real = followed?.real;
    if (real !== undefined && !shown.has(real)) shown.set(real, { path: real, why });
  };
  for (const place of [...named, ...known, ...programs]) show(place);
  for (const place of [...shown.values()]) {
    const parts = aroundOpen(place.path, writable);
    if (parts[0] === place.path) continue;
    shown.delete(place.path);
    for (const path of parts) show({ path, why: place.why });
  }
  const outermost = [...shown.values()].filter(
    ({ path }) => ![...shown.keys()].some((other) => other !== path && pathInside(other, path)),
  );
  const isVisible = (path: string) =>
    isOpen(path) || outermost.some((one) => pathInside(one.path, path) !== undefined);
  return { shown: outermost, links: [...links.values()].filter(({ path }) => !isVisible(path)), replaced };
}

/** Returns the path below the real path of the home folder, if it is below `home`, which may be a link. */
function spelledReally(path: string, home: string | undefined): string {
  const rest = home === undefined || home === "" ? undefined : pathInside(home, path);
  return home === undefined || rest === undefined ? path : join(realAsFar(home), rest);
}

function fromTable(home: string, environment: HomeQuestion["environment"]): readonly ShownPlace[] {
  return shownRows.flatMap(({ paths, why, kind }) =>
    kind === "settings"
      ? []
      : paths
          .split(/\s+/)
          .flatMap((row) => pathsAtHome(home, row, environment).map((path) => ({ path, why }))),
  );
}

/** Returns the folders of toolchains that variables name; nothing for a variable that names the home folder or one above it. */
function fromVariables(home: string, environment: HomeQuestion["environment"]): readonly ShownPlace[] {
  return Object.entries(shownByVariable).flatMap(([variable, parts]) =>
    (environment[variable] ?? "")
      .split(":")
      .filter((folder) => folder.startsWith("/") && pathInside(home, join(folder)) !== undefined)
      .flatMap((folder) => parts.split(" ").map((part) => join(folder, part)))
      .filter((path) => path !== home)
      .map((path) => ({ path, why: `named by ${variable}` })),
  );
}

async function settingsWithoutPasswords(
  homes: readonly string[],
  environment: HomeQuestion["environment"],
): Promise<readonly ShownPlace[]> {
  const rows = shownRows.filter(({ kind }) => kind === "settings");
  const places = homes.flatMap((home) =>
    rows.flatMap(({ paths, why }) =>
      paths.split(/\s+/).flatMap((row) => pathsAtHome(home, row, environment).map((path) => ({ path, why }))),
    ),
  );
  const shown = await Promise.all(
    places.map(async (place) => {
      const content = await readPlain(place.path).catch(() => undefined);
      return content === undefined || looksSecret(content.toString("latin1")) ? [] : [place];
    }),
  );
  return shown.flat();
}

/** Finds the programs in a home folder that `PATH` leads to, so that a toolchain works that the table does not have. */
import { type Dirent, existsSync, readdirSync, readlinkSync } from "node:fs";
import { basename, delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";
import type { ShownPlace } from "./home-question.ts";

export interface ProgramQuestion {
  readonly homes: readonly string[];
  /** The paths that are shown anyway. */
  readonly known: readonly string[];
  /** Returns true for a path that commands can write. */
  isOpen(path: string): boolean;
  /** A `PATH`. */
  readonly path: string;
}

/** The maximum number of programs of one folder whose links are followed. */
const maxPrograms = 500;
const programFolders = /^(?:s?bin|shims|libexec)$/;
/** The parts of a toolchain beside its folder of programs. Nothing else there is shown, because it may be anything. */
const toolchainParts =
  `bin sbin shims lib lib32 lib64 libexec include share jre jmods conf boot init.d pkg src api misc plugins go.env
  VERSION version release`.split(/\s+/);
/** A folder with one of these parts is a toolchain. */
const typicalParts = ["lib", "lib64", "libexec", "pkg"];

/**
 * Returns the folders of `PATH` that are in a home folder, with the toolchain around each (`x/lib` for `x/bin`), and what the links in
 * these folders lead to.
 */
export function programPlaces({ homes, known, isOpen, path }: ProgramQuestion): readonly ShownPlace[] {
  const isKnown = (one: string) => known.some((other) => pathInside(other, one) !== undefined);
  const isHidden = (one: string) => homes.some((home) => pathInside(home, one)) && !isOpen(one);
  const folders = path.split(delimiter).filter((one) => isAbsolute(one));
  const places: ShownPlace[] = [];
  for (const folder of new Set(folders.map((one) => join(one)))) {
    if (!isHidden(realAsFar(folder)) || isOpen(folder)) continue;
    if (!isKnown(folder)) places.push(...around(homes, folder, "in PATH"));
    for (const program of linksOf(folder)) {
      const target = realAsFar(resolve(folder, readlinkSync(join(folder, program))));
      if (!isHidden(target) || isKnown(target)) continue;
      places.push({ path: target, why: `${program} in PATH` });
      if (programFolders.test(basename(dirname(target)))) {
        places.push(...around(homes, dirname(target), `${program} in PATH`));
      }
    }
  }
  return [...places, ...ownPrograms()];
}

/** Returns a folder of programs, and the other parts of its toolchain. */
function around(homes: readonly string[], folder: string, why: string): readonly ShownPlace[] {
  const base = dirname(folder);
  const isToolchain =
    programFolders.test(basename(folder)) &&
    homes.some((home) => pathInside(home, realAsFar(base))) &&
    typicalParts.some((part) => existsSync(join(base, part)));
  const parts = isToolchain ? toolchainParts.map((part) => join(base, part)) : [];
  return [folder, ...parts].map((path) => ({ path, why }));
}

function linksOf(folder: string): readonly string[] {
  try {
    const entries: readonly Dirent[] = readdirSync(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isSymbolicLink())
      .slice(0, maxPrograms)
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

/** The places of the sandbox runtime's own programs, relative to a folder above this file. */
const helpers = [
  "vendor/seccomp",
  "lib/vendor/seccomp",
  "node_modules/@anthropic-ai/sandbox-runtime/vendor/seccomp",
];

/** Returns the programs with which the sandbox itself runs in a command: this node, and the helpers of the runtime. */
function ownPrograms(): readonly ShownPlace[] {
  const why = "this program";
  const places: ShownPlace[] = [{ path: process.execPath, why }];
  for (let at = import.meta.dirname; at !== dirname(at); at = dirname(at)) {
    for (const helper of helpers) {
      if (existsSync(join(at, helper))) places.push({ path: dirname(join(at, helper)), why });
    }
  }
  return places;
}

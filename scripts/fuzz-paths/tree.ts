/** Creates random trees of folders, files and links of every kind, beside a folder that is outside the workspace. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Random } from "../fuzz-shell/random.ts";

export interface Tree {
  readonly root: string;
  readonly outside: string;
  /** The created paths, relative to the root, links included. */
  readonly paths: readonly string[];
  remove(): void;
}

/** Names that some operating system or file system treats specially. */
export const names: readonly string[] = [
  ..."a b src A .git .GIT .hidden ..foo ... a.b ~ ~notes -rf %2e%2e 100%25 üni u\u0308ni 日本 \u202ex \u200bz COM1 nul".split(
    " ",
  ),
  "with space",
  " lead",
  "trail ",
  "dot.",
  "new\nline",
  "tab\t",
  "back\\slash",
  "..\\up",
  "C:",
  "file::$DATA",
  "x".repeat(200),
  "secret.txt",
];

/** Returns a random item. Throws without items. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error("expected at least one item to pick from");
  return item;
}

export function makeTree(random: Random): Tree {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "localharness-paths-")));
  const root = join(base, "ws");
  const outside = join(base, "ws-outside");
  for (const folder of [root, outside, join(outside, "sub"), join(base, "ws2")]) {
    mkdirSync(folder);
  }
  for (const file of [join(outside, "secret.txt"), join(outside, "sub/x"), join(base, "ws2/a")]) {
    writeFileSync(file, "outside");
  }
  const paths: string[] = [];
  const folders = [""];
  for (let made = 0; made < 40; made += 1) {
    const parent = pick(random, folders);
    const path = parent === "" ? pick(random, names) : `${parent}/${pick(random, names)}`;
    if (path.length < 1500 && makeOne(random, { root, outside, path, paths }) === "folder") {
      folders.push(path);
    }
  }
  return { root, outside, paths, remove: () => rmSync(base, { recursive: true, force: true }) };
}

interface Making {
  readonly root: string;
  readonly outside: string;
  readonly path: string;
  readonly paths: string[];
}

function makeOne(random: Random, { root, outside, path, paths }: Making): "folder" | "other" {
  const place = join(root, path);
  if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) return "other";
  const kind = pick(random, ["folder", "folder", "file", "link", "link"]);
  if (kind === "folder") {
    mkdirSync(place);
  } else if (kind === "file") {
    writeFileSync(place, path);
  } else {
    symlinkSync(linkTarget(random, root, outside, paths), place);
  }
  paths.push(path);
  return kind === "folder" ? "folder" : "other";
}

function linkTarget(random: Random, root: string, outside: string, paths: readonly string[]): string {
  const known = paths.length === 0 ? "a" : pick(random, paths);
  return pick(random, [
    known,
    known.split("/").at(-1) ?? "a",
    `../${known}`,
    `./${known}/..`,
    `${root}/${known}`,
    root,
    outside,
    `${outside}/secret.txt`,
    `${outside}/none`,
    "..",
    ".",
    "../..",
    "../ws-outside/sub",
    "../../ws-outside",
    "/",
    "/proc/self/root",
    "/proc/self/cwd",
    "/dev/null",
    "nowhere",
    pick(random, names),
  ]);
}

/** Returns `device:inode` of the root and everything below it, without following links. */
export function inodesBelow(root: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (path: string) => {
    const stats = lstatSync(path);
    found.add(`${stats.dev}:${stats.ino}`);
    if (stats.isDirectory()) {
      for (const name of readdirSync(path)) {
        visit(`${path}/${name}`);
      }
    }
  };
  visit(root);
  return found;
}

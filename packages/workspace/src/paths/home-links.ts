/**
 * Finds the names that links in the home folder give to files elsewhere: with `~/.bashrc -> ~/dotfiles/bashrc` a shell runs the
 * file `bashrc` of the workspace `~/dotfiles`.
 */
import { type Dirent, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { foldPath } from "./fold-name.ts";

interface HomeLink {
  /** The folded components of the place to which the link leads. */
  readonly target: readonly string[];
  /** The folded components of the link. */
  readonly name: readonly string[];
}

/** The maximum number of folders that are searched for links: the home folder, `.config`, and those in `.config`. */
const maxFolders = 300;

let known: { readonly home: string; readonly links: readonly HomeLink[] } | undefined;

/**
 * Returns the folded components of an absolute path, and after them those of each path in the home folder that leads there by a
 * link. The links are those of the first call for this home folder.
 */
export function namesFromHome(components: readonly string[]): readonly (readonly string[])[] {
  const home = homedir();
  if (known?.home !== home) known = { home, links: linksIn(home) };
  const others = known.links
    .filter(({ target }) => target.length > 0 && target.every((part, at) => components[at] === part))
    .map(({ target, name }) => [...name, ...components.slice(target.length)]);
  return [components, ...others];
}

function linksIn(home: string): readonly HomeLink[] {
  const settings = join(home, ".config");
  const below = entriesOf(settings).filter((entry) => entry.isDirectory());
  const folders = [home, settings, ...below.map((entry) => join(settings, entry.name))];
  return folders
    .slice(0, maxFolders)
    .flatMap((folder) =>
      entriesOf(folder)
        .filter((entry) => entry.isSymbolicLink())
        .map((entry) => join(folder, entry.name)),
    )
    .flatMap((path) => {
      const target = realPathOf(path);
      return target === undefined ? [] : [{ target: foldPath(target), name: foldPath(path) }];
    });
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

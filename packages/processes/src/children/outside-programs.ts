/**
 * The one door to programs that run outside of the sandbox. It finds them only where no confined command can write, and removes
 * from their environment what leads them to programs and libraries there.
 */
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { pathInside } from "@localharness/workspace/paths/door";
import { isProgram } from "./find-program.ts";
import type { OutsidePrograms } from "./programs.ts";

/** The `PATH` of programs if no folder of the person's `PATH` is left. */
const usualPath = "/usr/local/bin:/usr/bin:/bin";

/** The variables with a list of folders or files from which programs load code. An empty part means the current folder. */
const loaderLists = "LD_LIBRARY_PATH LD_PRELOAD DYLD_LIBRARY_PATH DYLD_INSERT_LIBRARIES".split(" ");
const otherLists =
  "PATH PYTHONPATH NODE_PATH PERL5LIB RUBYLIB GEM_PATH CLASSPATH GOPATH PKG_CONFIG_PATH XDG_DATA_DIRS XDG_CONFIG_DIRS".split(
    " ",
  );
/** The variables that name one folder or program from which programs load code. */
const places =
  "GEM_HOME GOBIN GOROOT VIRTUAL_ENV CONDA_PREFIX PYTHONHOME PYTHONSTARTUP JAVA_HOME MAVEN_HOME GRADLE_HOME DOTNET_ROOT NVM_DIR NVM_BIN BUN_INSTALL CC CXX BROWSER BASH_ENV ENV".split(
    " ",
  );

/**
 * Returns the programs of a `PATH` outside of the folders. A folder need not exist. The folder `/` does not count, because every
 * program is in it.
 */
export function outsidePrograms(path: string, folders: readonly string[]): OutsidePrograms {
  const closed = [...new Set(folders.flatMap((folder) => [resolve(folder), realOf(folder)]))].filter(
    (folder) => folder !== "/",
  );
  const known = new Map<string, string>();
  const leadsIn = (at: string) => closed.length > 0 && leadsInto(at, closed);
  const outsideParts = (list: string) =>
    list.split(delimiter).filter((part) => isAbsolute(part) && !leadsIn(part));
  const search = outsideParts(path === "" ? usualPath : path);

  const findName = (name: string) => {
    const found =
      known.get(name) ??
      search.map((place) => join(place, name)).find((one) => isProgram(one) && !leadsIn(one));
    if (found !== undefined) known.set(name, found);
    return found;
  };
  return {
    leadsIn,
    find: (program) => {
      if (!program.includes("/")) return findName(program);
      return isAbsolute(program) && isProgram(program) && !leadsIn(program) ? program : undefined;
    },
    environment: (source, reach) => {
      const environment: Record<string, string> = { ...source };
      const lists = reach === "sandbox" ? loaderLists : [...loaderLists, ...otherLists];
      for (const name of lists.filter((one) => environment[one] !== undefined)) {
        const left = outsideParts(environment[name] ?? "").join(delimiter);
        if (left !== "") environment[name] = left;
        else if (name === "PATH") environment[name] = usualPath;
        else delete environment[name];
      }
      for (const name of reach === "sandbox" ? [] : places) {
        const value = environment[name] ?? "";
        if (value.includes("/") && (!isAbsolute(value) || leadsIn(value))) delete environment[name];
      }
      return environment;
    },
  };
}

/**
 * Returns the program to start: an absolute path, which the caller has chosen, or what a name means outside; undefined if there is
 * no such program. On Windows the system itself searches for a name.
 */
export function chosenProgram(program: string, outside: OutsidePrograms): string | undefined {
  if (process.platform === "win32") return program;
  return isAbsolute(program) ? (isProgram(program) ? program : undefined) : outside.find(program);
}

/** Returns the path after links, as far as it exists. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : join(realOf(dirname(path)), path.slice(dirname(path).length));
  }
}

/** The maximum number of links that are followed; the system follows no more. */
const maxLinks = 40;

/** Returns true if the system would pass one of the folders on its way to the path, also by a link. Too many links count as such. */
function leadsInto(path: string, folders: readonly string[]): boolean {
  let rest = resolve(path).split("/").filter(Boolean);
  let at = "/";
  for (let links = 0; rest.length > 0; ) {
    const [name = "", ...after] = rest;
    const next = join(at, name);
    if (folders.some((folder) => pathInside(folder, next) !== undefined)) return true;
    const target = linkAt(next);
    if (target === undefined) {
      at = next;
      rest = after;
      continue;
    }
    links += 1;
    if (links > maxLinks) return true;
    rest = [...resolve(at, target).split("/").filter(Boolean), ...after];
    at = "/";
  }
  return false;
}

/** Returns the target of a link; undefined for anything else. */
function linkAt(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined;
  } catch {
    return undefined;
  }
}

/** Finds out if a workspace is as wide as a home folder or the system, where any file may be one that a program obeys. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { pathInside } from "./door.ts";
import { realAsFar } from "./real-as-far.ts";

/** Folders of the system, and folders with the homes of people. */
const ofSystem =
  /^\/(?:bin|boot|etc|home|lib|opt|private|root|run|sbin|srv|usr|usr\/local|var|Applications|Library|System|Users)?$/;
/** Matches the home folders of people. */
const homes = /^\/(?:home|Users)\/[^/]+$/;
const ofWindows = /^[A-Za-z]:\\(?:Windows|Users|Program Files.*|Users\\[^\\]+)?$/;

/** Returns what a workspace holds as a whole, in words: a home folder or the system; undefined for any other folder. */
export function holdsWhole(root: string): string | undefined {
  const home = homedir();
  if (home !== "" && pathInside(root, realAsFar(resolve(home))) !== undefined) return "your home folder";
  if (homes.test(root)) return "a home folder";
  return ofSystem.test(root) || ofWindows.test(root) ? "a folder of the system" : undefined;
}

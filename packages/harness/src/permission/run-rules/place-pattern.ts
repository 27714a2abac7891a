/** Reads a path pattern as the person typed it in a shell. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { realAsFar } from "@localharness/workspace/paths/real-as-far";

/**
 * Returns the pattern with the home folder in place of `~`. Resolves the links in the folders before the first `*`, because
 * rules are matched with real paths. Returns a pattern that is not absolute as it is.
 */
export function placePattern(typed: string): string {
  const pattern = typed === "~" || typed.startsWith("~/") ? join(homedir(), typed.slice(1)) : typed;
  if (!isAbsolute(pattern)) return pattern;
  const names = pattern.split("/");
  const end = names.findIndex((name) => name.includes("*"));
  const fixed = (end === -1 ? names : names.slice(0, end)).join("/");
  const real = fixed === "" ? "" : realAsFar(fixed);
  return end === -1 ? real : [real, ...names.slice(end)].join("/");
}

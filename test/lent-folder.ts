/** Lends the folder of one place to the program of another, each with its own home folder. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { makePlace, type Place, type Run, run, start } from "./run-program.ts";

export interface Lent {
  readonly owner: Place;
  readonly borrower: Place;
  /** The process that lends. */
  readonly lending: Run;
  readonly url: string;
  readonly code: string;
}

/** The name under which the borrower knows the folder. */
export const lentName = "box";

/** Starts `localharness lend` and pairs the borrower with it, unless `pairs` is false. Rejects if they cannot be paired. */
export async function lendFolder(
  files: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  options: { readonly trusted?: boolean; readonly pairs?: boolean } = {},
): Promise<Lent> {
  const owner = makePlace(files, options.trusted ?? true);
  const borrower = makePlace();
  const { lending, url, code } = await startLending(owner, flags);
  if (options.pairs !== false) {
    const paired = await run(["lend", "pair", url, code, lentName], { place: borrower });
    if (paired.code !== 0) throw new Error(paired.stderr);
  }
  return { owner, borrower, lending, url, code };
}

/** Starts `localharness lend` in the workspace of the place and waits until it listens. */
export async function startLending(owner: Place, flags: readonly string[] = [], port = 0) {
  const listen = flags.includes("--listen") ? [] : ["--listen", `127.0.0.1:${port}`];
  const lending = await start(["lend", "--sandbox", "off", ...listen, ...flags], { place: owner });
  await lending.said(/lend pair wss?:\S+ \S+\n/);
  const [, url = "", code = ""] = /lend pair (wss?:\S+) (\S+)\n/.exec(lending.output().stdout) ?? [];
  return { lending, url, code };
}

/** Ends a process of the program and waits for its end. */
export async function end({ child, ended }: Run, signal: NodeJS.Signals = "SIGTERM") {
  child.kill(signal);
  return await ended;
}

/** Returns how often each line with a line break is in a file of the workspace; nothing if there is no file. */
export function linesOf({ workspace }: Place, name: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const path = join(workspace, name);
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

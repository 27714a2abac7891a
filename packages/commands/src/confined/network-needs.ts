/** Says which hosts and caches the calls of a command need. */

import { isThisMachine } from "@localharness/processes/sandbox/named-hosts";
import type { Words } from "../shell/programs/program.ts";
import { knownProgram } from "../shell/programs/table.ts";

const maxHosts = 6;

/**
 * Returns the hosts that the calls reach, each once, as entries of `sandbox_domains`; undefined if they are not all known. An
 * address among the words of a call replaces the usual hosts of its program.
 */
export function hostsOf(calls: readonly Words[]): readonly string[] | undefined {
  const found = calls.map(([name = "", ...args]) => {
    const named = args.flatMap(hostsIn);
    if (named.length > 0) return named;
    return knownProgram(name)?.hosts?.split(" ");
  });
  const hosts = [...new Set(found.flatMap((some) => some ?? []))];
  return found.includes(undefined) || hosts.length === 0 || hosts.length > maxHosts ? undefined : hosts;
}

/** Matches the address of a server, also as the value of an option (`--registry=https://...`) or of ssh (`git@host:path`). */
const address = /(?:^|[=+])(?:https?|ssh|git):\/\/(?:[^/@\s]*@)?([\w.-]+|\[[\da-f:]+\])(:\d+)?(?=[/?#]|$)/i;
const ofSsh = /^[\w.-]+@([\w.-]+):/;

function hostsIn(word: string): readonly string[] {
  const [, host, port = ""] = address.exec(word) ?? [];
  if (host !== undefined) return [`${host.toLowerCase()}${isThisMachine(host) ? port : ""}`];
  const [, remote] = ofSsh.exec(word) ?? [];
  return remote === undefined ? [] : [remote.toLowerCase()];
}

/**
 * Returns the variables that name the caches of the calls that write one, each once. With `mayWrite`, leaves out those whose usual
 * caches the command may write.
 */
export function cacheVariablesOf(calls: readonly Words[], mayWrite: boolean): readonly string[] {
  const names = calls.flatMap(([name = "", ...args]) => {
    const { ownCache, caches } = knownProgram(name) ?? {};
    if (ownCache === undefined || (mayWrite && caches !== undefined)) return [];
    return ownCache.words.test(args.join(" ")) ? [ownCache.variable] : [];
  });
  return [...new Set(names)];
}

/** Returns the caches of packages that the calls write, each once: `~/.npm/_cacache`. */
export function cachesOf(calls: readonly Words[]): readonly string[] {
  return [...new Set(calls.flatMap(([name = ""]) => knownProgram(name)?.caches?.split(" ") ?? []))];
}
